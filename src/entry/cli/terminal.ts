/** Output of a command: data to standard output, everything else to standard error. */

import type { App } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import type { Pager } from '../../base/processes.ts';
import { neutralise, terminalJson } from '../../base/terminal-text.ts';
import type { Clock } from '../../base/time.ts';
import { errorAsJson, errorAsText } from './errors.ts';
import type { Globals } from './globals.ts';
import type { OutputStream } from './plain-output.ts';
import type { LiveArea } from './render/live-area.ts';
import type { Progress, ProgressSink, Status } from './render/progress.ts';
import {
  opensHyperlinks,
  type StyleRules,
  styler,
  wantsColor,
  wantsMarkdown,
  wantsPager,
} from './terminal-abilities.ts';

export interface Terminal {
  readonly json: boolean;
  readonly verbose: boolean;
  /** Standard input and standard error are both terminals, so a person can be asked. */
  readonly isInteractive: boolean;
  readonly isTerminal: boolean;
  readonly color: boolean;
  /** False prints Markdown unchanged. */
  readonly markdown: boolean;
  readonly hyperlinks: boolean;
  /** 80 if standard output is not a terminal. */
  readonly columns: number;
  wantsPager(text: string): boolean;

  /** Adds a line end. On a terminal, neutralises the text. */
  print(text: string): void;
  /** Like `print`, without a line end. */
  write(text: string): void;
  /** Prints styled text, which must be neutralised already, with a line end. */
  printStyled(text: string): void;
  /** Like `printStyled`, without a line end. */
  writeStyled(text: string): void;
  printJson(value: unknown): void;
  /** On one line. */
  printJsonLine(value: unknown): void;
  /** Prints to standard error, unless `--quiet`. */
  note(text: string): void;
  /** Like `note`, dimmed if there is colour. */
  dim(text: string): void;
  /** Prints a warning to standard error, also with `--quiet`. */
  warn(text: string): void;
  detail(text: string): void;
  error(error: unknown): void;
  /** Undefined if standard input is a terminal, unless `typed` asks for what is typed there. */
  readInput(how?: { readonly typed: boolean }): Promise<Uint8Array | undefined>;
  /** Ends the progress before. Needs the invocation's signal, since an unhandled Ctrl-C would leave half a line. */
  progress(clock: Clock, signal: AbortSignal): Promise<Progress>;
  /** The redrawn end of standard output; undefined where a cursor cannot go back. Other output hides it first. */
  live(): Promise<LiveArea | undefined>;
  /** One line that says what ken waits for, and since when; nothing where it cannot be redrawn. Ends like progress. */
  status(clock: Clock, signal: AbortSignal): Promise<Status>;
  /** Hides progress while a person is asked and types. */
  withoutProgress<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** Adds methods that only the frame calls. */
export interface OwnTerminal extends Terminal {
  /** Called once the configuration is loaded. */
  useStyle(rules: StyleRules): void;
  close(): void;
}

/** The part of standard input that a command needs. */
interface InputStream extends AsyncIterable<Uint8Array> {
  readonly isTTY?: boolean;
}

export interface Streams {
  readonly output: OutputStream;
  readonly errors: OutputStream;
  readonly input: InputStream;
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
  const { put, ...redrawn } = redrawnParts(streams, environment, globals);
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
    readInput: async ({ typed } = { typed: false }) =>
      streams.input.isTTY && !typed ? undefined : readAll(streams.input),
    useStyle: (next) => {
      rules = next;
    },
    ...redrawn,
  };
}

const MOST_INPUT_GIB = 1;

/** Refuses a device or a program that never ends, before it fills the memory. */
async function readAll(input: InputStream): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of input) {
    bytes += piece.length;
    if (bytes > MOST_INPUT_GIB * 1024 ** 3)
      throw new Fault('files/too-long', `Standard input is longer than ${MOST_INPUT_GIB} GiB.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

type Put = (stream: OutputStream, text: string) => void;

/** The parts of the screen that are drawn again: progress, the status line and the end of an answer. */
function redrawnParts(
  { output, errors }: Streams,
  environment: NodeJS.ProcessEnv,
  globals: TerminalGlobals,
): Pick<OwnTerminal, 'progress' | 'status' | 'live' | 'withoutProgress' | 'close'> & { readonly put: Put } {
  let shown: Pick<Progress, 'hide' | 'end'> | undefined;
  let area: LiveArea | undefined;
  let asking = 0;
  const hide = () => {
    shown?.hide();
    area?.hide();
  };
  const close = () => {
    shown?.end();
    shown = undefined;
  };
  const openSink = (signal: AbortSignal): ProgressSink => {
    close();
    signal.addEventListener('abort', close, { once: true });
    const sink = progressSink(errors, environment, globals);
    const write = (text: string) => {
      if (asking > 0) return;
      area?.hide();
      sink.write(text);
    };
    return { ...sink, write };
  };
  return {
    put(stream, text) {
      hide();
      stream.write(text);
    },
    async progress(clock, signal) {
      const { progress } = await import('./render/progress.ts');
      const opened = progress(openSink(signal), clock);
      shown = opened;
      return opened;
    },
    async status(clock, signal) {
      if (progressSink(errors, environment, globals).form !== 'bar') return { say() {}, end() {}, hide() {} };
      const { status } = await import('./render/progress.ts');
      const opened = status(openSink(signal), clock);
      shown = opened;
      return opened;
    },
    async live() {
      if (output.isTTY !== true || environment.TERM === 'dumb') return undefined;
      const { liveArea } = await import('./render/live-area.ts');
      area ??= liveArea({
        columns: () => output.columns || 80,
        rows: () => output.rows || 24,
        write: (text) => {
          shown?.hide();
          output.write(text);
        },
      });
      return area;
    },
    async withoutProgress(work) {
      hide();
      asking++;
      return work().finally(() => asking--);
    },
    close,
  };
}

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

/** The approver and the questioner hide progress while they ask. */
export function hidingProgressWhileAsking<Asking extends Pick<App, 'approver' | 'questioner'>>(
  terminal: Pick<Terminal, 'withoutProgress'>,
  app: Asking,
): Asking {
  const { approver, questioner } = app;
  return {
    ...app,
    approver: {
      asksAgain: () => approver.asksAgain(),
      // It may ask for the passphrase of the lock.
      isThere: () => terminal.withoutProgress(() => approver.isThere()),
      ask: (...asked) => terminal.withoutProgress(() => approver.ask(...asked)),
    },
    questioner: {
      isThere: () => questioner.isThere(),
      ask: (asker, question, signal) =>
        terminal.withoutProgress(() => questioner.ask(asker, question, signal)),
    },
  };
}

/** Uses the pager if a person is at the terminal and the text is longer than the screen. */
export async function printLong(
  terminal: Terminal,
  { pager }: { pager: Pager },
  text: string,
): Promise<void> {
  if (!terminal.isTerminal) terminal.write(text);
  else await printLongStyled(terminal, { pager }, neutralise(text));
}

/** Like `printLong`, for styled text, which must be neutralised already. */
export async function printLongStyled(
  terminal: Terminal,
  { pager }: { pager: Pager },
  text: string,
): Promise<void> {
  if (terminal.wantsPager(text) && (await pager.show(text))) return;
  terminal.writeStyled(text);
}

/** Shows a bar while an index is brought up to date, unless that is over at once. */
export function indexProgress(terminal: Pick<Terminal, 'progress'>, clock: Clock, signal: AbortSignal) {
  let began: number | undefined;
  let opened: Promise<Progress> | undefined;
  const end = async () => {
    const bar = opened;
    opened = undefined;
    (await bar)?.end();
  };
  return {
    onItems(done: number, total: number): void {
      began ??= clock.now();
      if (clock.now() - began < SHORT_MS) return;
      opened ??= terminal.progress(clock, signal).then((bar) => {
        bar.phase({ title: 'Indexing', total, done });
        return bar;
      });
      void opened.then((bar) => bar.update(done, total));
      if (done === total) void end();
    },
    end,
  };
}

const SHORT_MS = 300;

/** Colours for code, where `style.code` and the terminal want them. */
export async function coloursFor(
  { color }: Pick<Terminal, 'color'>,
  { config: { style } }: { readonly config: { readonly style: { readonly code: string } } },
) {
  if (style.code === 'never' || !color) return undefined;
  return (await import('./render/code-colours.ts')).colouredLines;
}
