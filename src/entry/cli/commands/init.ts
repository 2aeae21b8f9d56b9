import type { Command } from '../command.ts';

export const init: Command = {
  name: 'init',
  summary: 'make this directory a workspace',
  async run() {
    return undefined;
  },
};
