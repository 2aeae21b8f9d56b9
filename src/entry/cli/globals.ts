import type { OptionSpec } from './command.ts';
import type { LongName, Options, ValuedName } from './options.ts';

export interface Globals {
  readonly cfg: readonly string[];
  readonly workspace: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** False after `--no-color`. */
  readonly color: boolean;
}

export const GLOBAL_OPTIONS = [
  { flags: '-c, --cfg <assignment>', summary: 'set a config key, or merge a config file', repeatable: true },
  { flags: '--workspace <dir>', summary: 'use the workspace in this directory', complete: 'directories' },
  { flags: '--json', summary: 'print data and errors as JSON' },
  { flags: '-q, --quiet', summary: 'print data and errors only' },
  { flags: '-v, --verbose', summary: 'print more details' },
  { flags: '--no-color', summary: 'print without colours' },
  { flags: '-h, --help', summary: 'show this help' },
] as const satisfies readonly OptionSpec[];

export type GlobalFlags = (typeof GLOBAL_OPTIONS)[number]['flags'];

/** Accepted only before a command's name, so that a command may have its own `--version`. */
export const VERSION_OPTION: OptionSpec = { flags: '--version', summary: 'print the version' };

export function globalsFrom(options: Options<LongName<GlobalFlags>, ValuedName<GlobalFlags>>): Globals {
  return {
    cfg: options.texts('cfg'),
    workspace: options.text('workspace'),
    json: options.has('json'),
    quiet: options.has('quiet'),
    verbose: options.has('verbose'),
    color: !options.has('no-color'),
  };
}
