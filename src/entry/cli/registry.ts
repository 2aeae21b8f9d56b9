/** Every command, by name. */

import type { RegisteredCommand } from './command.ts';

export const COMMANDS: readonly RegisteredCommand[] = [
  {
    name: 'config',
    summary: 'show, set and check the configuration',
    load: async () => (await import('./commands/config.ts')).config,
  },
  {
    name: 'help',
    summary: 'show how a command is used',
    load: async () => (await import('./commands/help.ts')).help,
  },
  {
    name: 'init',
    summary: 'make this directory a workspace',
    load: async () => (await import('./commands/init.ts')).init,
  },
];
