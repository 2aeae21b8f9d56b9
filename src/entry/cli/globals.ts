/** The flags every command takes, before or after its name. */

import type { OptionSpec } from './command.ts';

export interface Globals {
  /** `--cfg` values, left to right. */
  readonly cfg: readonly string[];
  readonly workspace: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** False after `--no-color`. */
  readonly color: boolean;
}

export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flags: '-c, --cfg <assignment>', summary: 'set a config key, or merge a config file', repeatable: true },
  { flags: '--workspace <dir>', summary: 'use the workspace in this directory' },
  { flags: '--json', summary: 'print data and errors as JSON' },
  { flags: '-q, --quiet', summary: 'print data and errors only' },
  { flags: '-v, --verbose', summary: 'say more about what happens' },
  { flags: '--no-color', summary: 'print without colour' },
  { flags: '-h, --help', summary: 'show this help' },
];

/**
 * The flags as far as they can be read without knowing the command, so that even a usage error
 * is shown the way they ask for. Values of unknown options are not told apart from flags.
 */
export function scanGlobals(argv: readonly string[]): Pick<Globals, 'json' | 'quiet' | 'verbose' | 'color'> {
  const end = argv.indexOf('--');
  const flags = new Set(end === -1 ? argv : argv.slice(0, end));
  return {
    json: flags.has('--json'),
    quiet: flags.has('-q') || flags.has('--quiet'),
    verbose: flags.has('-v') || flags.has('--verbose'),
    color: !flags.has('--no-color'),
  };
}
