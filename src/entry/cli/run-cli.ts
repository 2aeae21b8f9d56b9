import { type App, isInWorkspace, type OpenApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import { VERSION } from '../../base/package-files.ts';
import type { Command, Invocation, OpenOptions, RegisteredCommand } from './command.ts';
import { exitCodeFor, knownError } from './errors.ts';
import { findRegistered } from './find-command.ts';
import { type Globals, globalsFrom } from './globals.ts';
import type { Interruption } from './interruption.ts';
import type { Options } from './options.ts';
import { checkOptions, hasOption, optionsOf, parseCommandLine } from './parse-command-line.ts';
import { commandIndex, readWords } from './read-words.ts';
import { type OwnTerminal, processTerminal, type Streams, type Terminal } from './terminal.ts';

export interface CliHost {
  readonly words: readonly string[];
  readonly commands: readonly RegisteredCommand[];
  readonly environment: NodeJS.ProcessEnv;
  /** A Fault when the current directory has been removed. */
  readonly directory: string;
  readonly streams: Streams;
  readonly interruption: Interruption;
  readonly openApp: OpenApp;
  onUncaught(report: (error: unknown) => number): void;
  onExit(tidy: () => void): void;
}

export async function runCli(host: CliHost): Promise<number> {
  // The command is not known yet; the global flags suffice to show usage errors as wanted.
  let terminal = terminalFor(host, optionsOf(readWords(host.words)));
  host.onUncaught((error) => failed(host, terminal, error));
  host.onExit(() => terminal.close());
  try {
    const index = commandIndex(host.words);
    if (index === undefined) return await runWithoutCommand(host, terminal);
    const line = parseCommandLine(host.words, await namedCommand(host, index), index);
    if (line.kind === 'help') {
      const { helpFor } = await import('./help.ts');
      terminal.print(helpFor(line.at, terminal.columns));
      return 0;
    }
    terminal = terminalFor(host, line.options);
    return await runCommand(host, terminal, line);
  } catch (error) {
    return failed(host, terminal, knownError(error));
  }
}

function terminalFor({ streams, environment }: CliHost, options: Options<string>): OwnTerminal {
  return processTerminal(streams, environment, globalsFrom(options));
}

/** After Ctrl-C, errors that the interruption caused are not printed. */
function failed({ interruption }: CliHost, terminal: Terminal, error: unknown): number {
  const { exitCode } = interruption;
  if (exitCode === undefined || !isAbort(error)) terminal.error(error);
  return exitCode ?? exitCodeFor(error);
}

function isAbort(error: unknown): boolean {
  if (error instanceof Fault) return error.code === 'process/interrupted';
  return error instanceof Error && error.name === 'AbortError';
}

async function namedCommand({ commands, words }: CliHost, index: number): Promise<Command> {
  // Mistakes before the name come first: in `ken --limit 5 search` the mistake is `--limit`, not a command "5".
  checkOptions(readWords(words.slice(0, index)));
  return findRegistered(commands, words[index] ?? '').load();
}

async function runWithoutCommand({ words, commands }: CliHost, terminal: Terminal): Promise<number> {
  const reading = readWords(words);
  if (words.length === 0 || hasOption(reading, 'help')) {
    const { overviewHelp } = await import('./help.ts');
    terminal.print(overviewHelp(commands, terminal.columns));
    return 0;
  }
  checkOptions(reading);
  if (!hasOption(reading, 'version'))
    throw new Fault('cli/usage', 'No command was given.', { hint: 'See "ken --help".' });
  terminal.print(VERSION);
  return 0;
}

interface Run {
  readonly command: Command;
  readonly arguments: readonly string[];
  readonly options: Options<string>;
}

async function runCommand(host: CliHost, terminal: OwnTerminal, run: Run): Promise<number> {
  const app = openedOnce(host, terminal, globalsFrom(run.options));
  try {
    const exitCode = await run.command.run?.(invocationOf(host, terminal, run, app));
    return host.interruption.exitCode ?? exitCode ?? 0;
  } finally {
    await app.close();
  }
}

function invocationOf(
  host: CliHost,
  terminal: Terminal,
  { arguments: words, options }: Run,
  app: ReturnType<typeof openedOnce>,
): Invocation<string> {
  return {
    arguments: words,
    options,
    terminal,
    get directory() {
      return host.directory;
    },
    environment: host.environment,
    get signal() {
      return host.interruption.signal;
    },
    endAtFirstSignal: () => host.interruption.release(),
    commands: host.commands,
    openAnywhere: app.open,
    async open(how) {
      const opened = await app.open(how);
      if (isInWorkspace(opened)) return opened;
      const { openPersonal } = await import('./open-workspace.ts');
      return openPersonal(terminal, app.open, opened, how);
    },
    get opening() {
      return { openApp: host.openApp, request: app.request() };
    },
    runLine: (line) => runLine(host, line),
  };
}

async function runLine(host: CliHost, words: readonly string[]): Promise<number> {
  const own = host.interruption.another?.();
  const atEnd: (() => void)[] = [];
  try {
    return await runCli({
      ...host,
      words,
      interruption: own ?? host.interruption,
      onUncaught() {},
      onExit: (tidy) => void atEnd.push(tidy),
    });
  } finally {
    for (const tidy of atEnd) tidy();
    own?.release();
  }
}

/** Once for each workspace that a command names. After a failure, it can be opened with other options. */
function openedOnce(host: CliHost, terminal: OwnTerminal, globals: Globals) {
  const openings = new Map<string | undefined, Promise<App>>();
  const request = () => ({
    assignments: globals.cfg,
    workspace: globals.workspace,
    directory: host.directory,
    environment: host.environment,
    warn: (text: string) => terminal.warn(text),
  });
  return {
    request,
    async open(how: OpenOptions = {}): Promise<App> {
      const opening = openings.get(how.workspace) ?? host.openApp({ ...request(), ...how });
      openings.set(how.workspace, opening);
      try {
        const app = await opening;
        terminal.useStyle(app.config.style);
        return app;
      } catch (error) {
        openings.delete(how.workspace);
        throw error;
      }
    },
    async close(): Promise<void> {
      for (const opening of openings.values()) await (await opening).close();
    },
  };
}
