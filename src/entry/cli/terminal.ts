/** Output of a command: data to standard output, everything else to standard error. */

import type { App } from '../../app.ts';
import type { Pager } from '../../base/processes.ts';
import { neutralise, terminalJson } from '../../base/terminal-text.ts';
import type { Clock } from '../../base/time.ts';
import { errorAsJson, errorAsText } from './errors.ts';
import type { Globals } from './globals.ts';
import type { OutputStream } from './plain-output.ts';
import type { Progress, ProgressSink } from './render/progress.ts';
import { styler } from './render/style.ts';
import {
  opensHyperlinks,
  type StyleRules,
  wantsColor,
  wantsMarkdown,
  wantsPager,
} from './terminal-abilities.ts';

export interface Terminal {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Standard input and standard error are both terminals, so a person can be asked. */
  readonly isInteractive: boolean;
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Standard output is to have colour. */
  readonly color: boolean;
  /** Markdown on standard output is to be rendered, not printed as it is. */
  readonly markdown: boolean;
  /** The terminal at standard output opens OSC 8 links. */
  readonly hyperlinks: boolean;
  /** The present width of standard output; 80 if it is not a terminal. */
  readonly columns: number;
  /** True if the text should go through a pager, since it is longer than the screen. */
  wantsPager(text: string): boolean;

  /** Prints data and a line end. On a terminal, control characters are made visible. */
  print(text: string): void;
  /** Prints data without a line end; on a terminal neutralised like `print`. */
  write(text: string): void;
  /** Prints text that is neutralised already and then styled, with a line end. */
  printStyled(text: string): void;
  /** Like `printStyled`, without the line end. */
  writeStyled(text: string): void;
  printJson(value: unknown): void;
  /** Prints one of many values, each on one line. */
  printJsonLine(value: unknown): void;
  /** Prints to standard error, unless `--quiet`. */
  note(text: string): void;
  /** Like `note`, dimmed if there is colour. */
  dim(text: string): void;
  /** Prints a warning to standard error, also with `--quiet`. */
  warn(text: string): void;
  /** Prints to standard error with `--verbose`. */
  detail(text: string): void;
  error(error: unknown): void;
  /** All bytes of standard input; undefined if it is a terminal. */
  readInput(): Promise<Uint8Array | undefined>;
  /**
   * Shows the progress of long work on standard error, and ends the one shown before. Takes the invocation's signal,
   * since an unhandled Ctrl-C would leave half a line.
   */
  progress(clock: Clock, signal: AbortSignal): Promise<Progress>;
  /** Hides progress while the work runs, because a person is asked and types. */
  withoutProgress<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** The terminal with the methods that only the frame calls. */
export interface OwnTerminal extends Terminal {
  /** Sets the style from the configuration, once that is loaded. */
  useStyle(rules: StyleRules): void;
  /** Removes the progress line from the screen. */
  close(): void;
}

export interface Streams {
  readonly output: OutputStream;
  readonly errors: OutputStream;
  readonly input: NodeJS.ReadStream;
}

type TerminalGlobals = Pick<Globals, 'json' | 'quiet' | 'verbose' | 'color'>;

export function processTerminal(
  streams: Streams,
  environment: NodeJS.ProcessEnv,
  globals: TerminalGlobals,
): OwnTerminal {
  const { output, errors } = streams;
  const isTerminal = output.isTTY === true;
  let rules: StyleRules = { color: 'auto', markdown: 'auto', pager: 'auto' };
  let shown: Progress | undefined;
  let asking = 0;
  const put: Put = (stream, text) => {
    shown?.hide();
    stream.write(text);
  };
  const close = () => {
    shown?.end();
    shown = undefined;
  };
  const hasColor = (stream: OutputStream) =>
    wantsColor({ isTerminal: stream.isTTY === true, environment, flag: globals.color, rule: rules.color });
  return {
    json: globals.json,
    verbose: globals.verbose,
    isTerminal,
    get isInteractive() {
      return errors.isTTY === true && streams.input.isTTY === true;
    },
    get color() {
      return hasColor(output);
    },
    get markdown() {
      return wantsMarkdown(isTerminal, rules.markdown);
    },
    get hyperlinks() {
      return isTerminal && opensHyperlinks(environment);
    },
    get columns() {
      return output.columns || 80;
    },
    wantsPager: (text) =>
      wantsPager(text, {
        isInteractive: isTerminal && errors.isTTY === true && streams.input.isTTY === true,
        environment,
        rule: globals.json ? 'never' : rules.pager,
        columns: output.columns || 80,
        rows: output.rows || 24,
      }),
    ...dataMethods(output, put),
    ...wordMethods(errors, put, globals, () => hasColor(errors)),
    readInput: async () =>
      streams.input.isTTY ? undefined : Buffer.concat(await Array.fromAsync(streams.input)),
    async progress(clock, signal) {
      const { progress } = await import('./render/progress.ts');
      close();
      signal.addEventListener('abort', close, { once: true });
      const sink = progressSink(errors, environment, globals);
      shown = progress({ ...sink, write: (text) => void (asking === 0 && sink.write(text)) }, clock);
      return shown;
    },
    async withoutProgress(work) {
      shown?.hide();
      asking++;
      return work().finally(() => asking--);
    },
    useStyle: (next) => {
      rules = next;
    },
    close,
  };
}

type Put = (stream: OutputStream, text: string) => void;

function dataMethods(output: OutputStream, put: Put) {
  const isTerminal = output.isTTY === true;
  const write = (text: string) => put(output, isTerminal ? neutralise(text) : text);
  const json = (value: unknown, indent?: number) =>
    put(output, `${isTerminal ? terminalJson(value, indent) : JSON.stringify(value)}\n`);
  return {
    write,
    print: (text: string) => write(`${text}\n`),
    printStyled: (text: string) => put(output, `${text}\n`),
    writeStyled: (text: string) => put(output, text),
    printJson: (value: unknown) => json(value, 2),
    printJsonLine: (value: unknown) => json(value),
  };
}

function wordMethods(
  errors: OutputStream,
  put: Put,
  { quiet, verbose, json }: TerminalGlobals,
  hasColor: () => boolean,
) {
  const say = (text: string) => put(errors, `${neutralise(text)}\n`);
  return {
    note: (text: string) => {
      if (!quiet) say(text);
    },
    dim: (text: string) => {
      if (!quiet) put(errors, `${styler(hasColor())('dim', neutralise(text))}\n`);
    },
    warn: (text: string) => say(`warning: ${text}`),
    detail: (text: string) => {
      if (verbose) say(text);
    },
    error: (error: unknown) => say(json ? errorAsJson(error) : errorAsText(error, verbose)),
  };
}

function progressSink(
  errors: OutputStream,
  environment: NodeJS.ProcessEnv,
  { quiet, json }: TerminalGlobals,
): ProgressSink {
  const canRedraw = errors.isTTY === true && environment.TERM !== 'dumb';
  // With `--json`, standard error has JSON lines only, for a program that reads them.
  const isSilent = quiet || (json && !canRedraw);
  return {
    form: isSilent ? 'none' : canRedraw ? 'bar' : 'lines',
    columns: () => errors.columns || 80,
    write: (text) => void errors.write(text),
  };
}

/** The app with an approver and a questioner that hide progress while they ask. */
export function hidingProgressWhileAsking<Asking extends Pick<App, 'approver' | 'questioner'>>(
  terminal: Pick<Terminal, 'withoutProgress'>,
  app: Asking,
): Asking {
  const { approver, questioner } = app;
  return {
    ...app,
    approver: {
      isThere: () => approver.isThere(),
      ask: (approval, signal) => terminal.withoutProgress(() => approver.ask(approval, signal)),
    },
    questioner: {
      isThere: () => questioner.isThere(),
      ask: (asker, question, signal) =>
        terminal.withoutProgress(() => questioner.ask(asker, question, signal)),
    },
  };
}

/** Prints data that may be longer than the screen, through the pager if a person sits at the terminal. */
export async function printLong(
  terminal: Terminal,
  { pager }: { pager: Pager },
  text: string,
): Promise<void> {
  if (!terminal.isTerminal) terminal.write(text);
  else await printLongStyled(terminal, { pager }, neutralise(text));
}

/** Like `printLong`, for text that is neutralised already and then styled. */
export async function printLongStyled(
  terminal: Terminal,
  { pager }: { pager: Pager },
  text: string,
): Promise<void> {
  if (terminal.wantsPager(text) && (await pager.show(text))) return;
  terminal.writeStyled(text);
}
