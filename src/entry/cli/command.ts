/** What one word of the command line is. Parsing, `--help`, docs/cli.md and completion are all made from these. */

import type { App, OpenRequest, WorkspaceApp } from '../../app.ts';
import type { GlobalFlags } from './globals.ts';
import type { LongName, Options, ValuedName } from './options.ts';
import type { Terminal } from './terminal.ts';

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line, no full stop. */
  readonly summary: string;
  /** What `--help` says beyond the summary. */
  readonly description?: string;
  /** Shown first by `--help`; written without the leading `ken `. Every command that runs has at least one. */
  readonly examples?: readonly string[];
  /** In order; the required ones come first, a variadic one last. */
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** A command has either subcommands or `run`; with both, `run` is what happens without a subcommand. */
  readonly subcommands?: readonly Command[];
  /** Answers the exit code; nothing means 0. Opens the app only after reading its arguments. */
  run?(invocation: Invocation<string>): Promise<ExitCode | undefined>;
}

/** A command whose `run` can read the options that it declares, and the global ones, and no others. */
export function command<const Specs extends readonly OptionSpec[] = readonly []>(
  definition: Omit<Command, 'options' | 'run'> & {
    readonly options?: Specs;
    run?(invocation: InvocationOf<Specs[number]['flags']>): Promise<ExitCode | undefined>;
  },
): Command {
  return definition;
}

/** What a command gets that has options with these flags. */
type InvocationOf<Flags extends string> = Invocation<
  LongName<Flags | GlobalFlags>,
  ValuedName<Flags | GlobalFlags>
>;

/** 0 ok · 1 failure or no match · 6 a check found something. Other codes come from Faults. */
export type ExitCode = 0 | 1 | 4 | 6;

/** A command that is known by name and read from its own file only when it is called, helped with or completed. */
export interface RegisteredCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The same as the command's own; a test compares them. */
  readonly summary: string;
  /** Works, but is not listed: for programs, not for people. */
  readonly hidden?: boolean;
  load(): Promise<Command>;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
  /** Name of a registered completer. */
  readonly complete?: string;
}

export interface OptionSpec {
  /**
   * `-k, --knowledge <topic/glob>` takes a value, `-q, --quiet` is a switch, and `--since [date]` takes its value
   * only as `--since=date`. A command reads it by its long name: `knowledge`.
   */
  readonly flags: string;
  readonly summary: string;
  /** The command refuses to run without it. */
  readonly required?: boolean;
  /** May be given several times; its values arrive as a list. Otherwise the last one counts. */
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
  /** Name of a registered completer. */
  readonly complete?: string;
}

/** One call of a command. `Name` and `Valued` are the options that can be read: see `Options`. */
export interface Invocation<Name extends string = never, Valued extends string = Name> {
  /** Positional arguments in order, without gaps. */
  readonly arguments: readonly string[];
  readonly options: Options<Name, Valued>;
  readonly terminal: Terminal;
  /** What paths on the command line are relative to. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Aborts at the first Ctrl-C; the second ends the process at once. Reading it takes Ctrl-C over, so a command
   * that never does is ended by the first one, as any program is.
   */
  readonly signal: AbortSignal;
  /** Every command there is. */
  readonly commands: readonly RegisteredCommand[];
  /** The app of the workspace around the current directory; a Fault when there is none. */
  open(how?: OpenOptions): Promise<WorkspaceApp>;
  /** The app, whether or not there is a workspace. */
  openAnywhere(how?: OpenOptions): Promise<App>;
}

/** What a command adds to the request that opens its app, or says in place of the line's own flags. */
export type OpenOptions = Partial<
  Pick<
    OpenRequest,
    | 'assignments'
    | 'workspace'
    | 'conversation'
    | 'flags'
    | 'ignoresConfig'
    | 'isAboutTrust'
    | 'runsOneTool'
    | 'toleratesTrouble'
  >
>;
