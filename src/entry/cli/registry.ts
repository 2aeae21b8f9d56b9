/** Every command, by name. A command's own file is read only when it is called, helped with or completed. */

import type { Command } from './command.ts';

export interface RegisteredCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  load(): Promise<Command>;
}

export const COMMANDS: readonly RegisteredCommand[] = [
  {
    name: 'config',
    summary: 'show, set and check the configuration',
    load: async () => (await import('./commands/config.ts')).config,
  },
  {
    name: 'init',
    summary: 'make this directory a workspace',
    load: async () => (await import('./commands/init.ts')).init,
  },
];
