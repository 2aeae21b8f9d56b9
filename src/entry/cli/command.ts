import type { App, OpenApp, OpenRequest, WorkspaceApp } from '../../app.ts';
import type { GlobalFlags } from './globals.ts';
import type { LongName, Options, ValuedName } from './options.ts';
import type { Terminal } from './terminal.ts';

export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line, no full stop. */
  readonly summary: string;
  /** Further text in `--help`. */
  readonly description?: string;
  /** Shown first by `--help`; written without the leading `ken `. Every command that runs has at least one. */
  readonly examples?: readonly string[];
  /** Positional arguments: required ones first, a variadic one last. */
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  /** Either subcommands or `run`; with both, `run` is called when no subcommand is given. */
  readonly subcommands?: readonly Command[];
  /** Returns the exit code, or nothing for 0. Opens the app only after reading its arguments. */
  run?(invocation: Invocation<string>): Promise<ExitCode> | Promise<void>;
  /** Set by `command()` alone, so that every command has its options checked. */
  readonly [isMade]: true;
}

const isMade = Symbol('made by command()');

/** Makes a command. Its `run` can read the options that it declares, and the global ones, and no others. */
export function command<const Specs extends readonly OptionSpec[] = readonly []>(
  definition: Omit<Command, 'options' | 'run' | typeof isMade> & {
    readonly options?: Specs;
    run?(invocation: InvocationOf<Specs[number]['flags']>): Promise<ExitCode> | Promise<void>;
  },
): Command {
  return { ...definition, [isMade]: true };
}

type InvocationOf<Flags extends string> = Invocation<
  LongName<Flags | GlobalFlags>,
  ValuedName<Flags | GlobalFlags>
>;

/** 0 ok · 1 failure or no match · 6 a check found something. Other codes come from Faults. */
export type ExitCode = 0 | 1 | 4 | 6;

/** A command by name; its file is loaded only when it is run, completed or asked for help. */
export interface RegisteredCommand {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** A test compares it with the command's own. */
  readonly summary: string;
  /** Not listed in help: only programs call it. */
  readonly hidden?: boolean;
  load(): Promise<Command>;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
  readonly complete?: string;
}

export interface OptionSpec {
  /**
   * `-k, --knowledge <topic/glob>` takes a value, `-q, --quiet` is a switch, `--since [date]` takes its value only as
   * `--since=date`. Commands read an option by its long name: `knowledge`.
   */
  readonly flags: string;
  readonly summary: string;
  readonly required?: boolean;
  /** May be given several times; its values arrive as a list. Otherwise the last one counts. */
  readonly repeatable?: boolean;
  readonly choices?: readonly string[];
  readonly complete?: string;
}

/** `Name` and `Valued` are the options that can be read: see `Options`. */
export interface Invocation<Name extends string = never, Valued extends string = Name> {
  /** In order, without gaps. */
  readonly arguments: readonly string[];
  readonly options: Options<Name, Valued>;
  readonly terminal: Terminal;
  /** Base of relative paths on the command line. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Aborts at the first Ctrl-C; the second ends the process at once. Reading this property installs the handler;
   * until then the first Ctrl-C ends the process.
   */
  readonly signal: AbortSignal;
  /** From now on the first Ctrl-C ends the process again: for work that hears no signal, and that a kill cannot break. */
  endAtFirstSignal(): void;
  readonly commands: readonly RegisteredCommand[];
  /** Runs another command line and returns its exit code. Ctrl-C stops that one alone. */
  runLine(words: readonly string[]): Promise<number>;
  /** Opens the app in the workspace around the current directory; throws a Fault if there is none. */
  open(how?: OpenOptions): Promise<WorkspaceApp>;
  /** Opens the app with or without a workspace. */
  openAnywhere(how?: OpenOptions): Promise<App>;
  /** For a command that opens the app anew while it runs, and closes it each time. */
  readonly opening: { readonly openApp: OpenApp; readonly request: OpenRequest };
}

/** Fields that a command adds to the request that opens the app, or that replace the flags on the command line. */
export type OpenOptions = Partial<
  Pick<
    OpenRequest,
    | 'assignments'
    | 'workspace'
    | 'conversation'
    | 'directory'
    | 'flags'
    | 'ignoresConfig'
    | 'isAboutTrust'
    | 'runsOneTool'
    | 'toleratesTrouble'
    | 'isAboutEmbedder'
  >
> & {
  /** The command writes: outside of a workspace it makes the personal one even without a terminal. */
  readonly makesPersonal?: boolean;
};
