/** Every completer, by the name that arguments and options know it by. Its code is read only when it is asked. */

import type { Completer } from './completer.ts';

export const COMPLETERS: Readonly<Record<string, () => Promise<Completer>>> = {
  commands: async () => (await import('./commands.ts')).completeCommands,
  'config-keys': async () => (await import('./config-keys.ts')).completeConfigKeys,
};

/** What the shell itself completes. */
export const BY_THE_SHELL = ['files', 'directories'] as const;
