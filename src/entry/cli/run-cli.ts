/** argv → command → exit code. */

import type { App, OpenApp, WorkspaceApp } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import type { Command, Invocation, OpenOptions } from './command.ts';
import { exitCodeFor } from './exit-codes.ts';
import { type Globals, scanGlobals } from './globals.ts';
import { COMMANDS, type RegisteredCommand } from './registry.ts';
import { processTerminal, type Streams, type Terminal } from './terminal.ts';

export interface CliHost {
  readonly words: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  readonly streams: Streams;
  readonly openApp: OpenApp;
}

export async function runCli(host: CliHost): Promise<number> {
  const terminal = processTerminal(host.streams, host.environment, scanGlobals(host.words));
  try {
    return await dispatch(host, terminal);
  } catch (error) {
    terminal.error(error);
    return exitCodeFor(error);
  }
}

async function dispatch(host: CliHost, terminal: Terminal): Promise<number> {
  const word = commandWord(host.words);
  if (word === undefined) return showOverview(host.words, terminal);
  const command = await findCommand(word).load();
  const { parseCommandLine } = await import('./parse-command-line.ts');
  const line = parseCommandLine(command, host.words);
  if (line.kind === 'help') {
    const { helpFor } = await import('./help.ts');
    terminal.print(helpFor(line.command, terminal.columns));
    return 0;
  }
  return runCommand(host, terminal, line);
}

interface Run {
  readonly command: Command;
  readonly arguments: Invocation['arguments'];
  readonly options: Invocation['options'];
  readonly globals: Globals;
}

async function runCommand(host: CliHost, terminal: Terminal, run: Run): Promise<number> {
  let app: App | undefined;
  const openAnywhere = async (how: OpenOptions = {}) => {
    app ??= await host.openApp({
      assignments: run.globals.cfg,
      workspace: run.globals.workspace,
      directory: host.directory,
      environment: host.environment,
      warn: (text) => terminal.warn(text),
      ...how,
    });
    return app;
  };
  try {
    const exitCode = await run.command.run?.({
      arguments: run.arguments,
      options: run.options,
      terminal,
      openAnywhere,
      open: async (how) => withWorkspace(await openAnywhere(how)),
    });
    return exitCode ?? 0;
  } finally {
    await app?.close();
  }
}

function withWorkspace(app: App): WorkspaceApp {
  const { workspace } = app;
  if (workspace) return Object.assign(app, { workspace });
  throw new Fault('workspace/not-found', 'There is no workspace here or in any directory above.', {
    hint: 'Run "ken init" to make this directory one.',
  });
}

function findCommand(word: string): RegisteredCommand {
  const found = COMMANDS.find(({ name, aliases }) => name === word || aliases?.includes(word));
  if (found) return found;
  const names = COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  throw new Fault('cli/usage', `"${word}" is not a ken command.`, {
    hint: didYouMean(word, names) ?? 'See "ken --help".',
  });
}

async function showOverview(words: readonly string[], terminal: Terminal): Promise<number> {
  const { overviewHelp } = await import('./help.ts');
  const help = overviewHelp(COMMANDS, terminal.columns);
  if (words.includes('--help') || words.includes('-h')) {
    terminal.print(help);
    return 0;
  }
  const stray = words.find((word) => word.startsWith('-'));
  throw new Fault('cli/usage', stray ? `"${stray}" needs a command.` : 'No command was given.', {
    hint: 'See "ken --help".',
  });
}

/** The first word that is neither a global flag nor its value. */
function commandWord(words: readonly string[]): string | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') return undefined;
    if (word === '-c' || word === '--cfg' || word === '--workspace') at += 1;
    else if (!word.startsWith('-')) return word;
  }
  return undefined;
}
