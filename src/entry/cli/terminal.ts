/** Where a command's words go: data to standard output, everything else to standard error. */

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
  /** A person sits at it: both standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  /** Of standard output, as are the next two. */
  readonly color: boolean;
  /** Markdown is to be rendered, and not printed as it is. */
  readonly markdown: boolean;
  /** Whoever shows the output opens OSC 8 links. */
  readonly hyperlinks: boolean;
  /** Of standard output, at this moment; 80 where it is not a terminal. */
  readonly columns: number;
  /** Data that the operator would rather have in a pager, since it is longer than the screen. */
  wantsPager(text: string): boolean;

  /** Data, one line end added. On a terminal, control characters are shown instead of obeyed. */
  print(text: string): void;
  /** Data exactly as it is; on a terminal neutralised like `print`. */
  write(text: string): void;
  /** Text that has been neutralised and then styled by us. */
  printStyled(text: string): void;
  /** Like `printStyled`, without the line end. */
  writeStyled(text: string): void;
  printJson(value: unknown): void;
  /** One of many, always on one line. */
  printJsonLine(value: unknown): void;
  /** To standard error, unless quiet. */
  note(text: string): void;
  /** Like `note`, less prominent where there is colour. */
  dim(text: string): void;
  /** To standard error, also when quiet. */
  warn(text: string): void;
  /** To standard error with `--verbose`. */
  detail(text: string): void;
  error(error: unknown): void;
  /** Everything that comes on standard input, as it is; nothing when a person sits there. */
  readInput(): Promise<Uint8Array | undefined>;
  /**
   * Shows how long work goes on, on standard error; ends what was shown before. Takes the invocation's signal,
   * since a Ctrl-C that nobody takes over would leave half a line.
   */
  progress(clock: Clock, signal: AbortSignal): Promise<Progress>;
  /** Shows no progress while the work lasts: somebody is asked something, and types. */
  undisturbed<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** The terminal as the frame holds it. */
export interface OwnTerminal extends Terminal {
  /** What the configuration says about style, once it is known. */
  useStyle(rules: StyleRules): void;
  /** Takes off what must not stay on the screen. */
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
    async undisturbed(work) {
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
  // Standard error holds nothing but JSON lines then, for a program that reads them.
  const isSilent = quiet || (json && !canRedraw);
  return {
    form: isSilent ? 'none' : canRedraw ? 'bar' : 'lines',
    columns: () => errors.columns || 80,
    write: (text) => void errors.write(text),
  };
}

/** The same app, in which no progress is drawn over what somebody is asked. */
export function askingUndisturbed<Asking extends Pick<App, 'approver' | 'questioner'>>(
  terminal: Pick<Terminal, 'undisturbed'>,
  app: Asking,
): Asking {
  const { approver, questioner } = app;
  return {
    ...app,
    approver: {
      isThere: () => approver.isThere(),
      ask: (approval, signal) => terminal.undisturbed(() => approver.ask(approval, signal)),
    },
    questioner: {
      isThere: () => questioner.isThere(),
      ask: (asker, question, signal) => terminal.undisturbed(() => questioner.ask(asker, question, signal)),
    },
  };
}

/** Prints data that may be longer than the screen: through the pager, where somebody sits at a terminal. */
export async function printLong(
  terminal: Terminal,
  { pager }: { pager: Pager },
  text: string,
): Promise<void> {
  if (!terminal.isTerminal) terminal.write(text);
  else await printLongStyled(terminal, { pager }, neutralise(text));
}

/** The same, for text that has been neutralised and then styled by us. */
export async function printLongStyled(
  terminal: Terminal,
  { pager }: { pager: Pager },
  text: string,
): Promise<void> {
  if (terminal.wantsPager(text) && (await pager.show(text))) return;
  terminal.writeStyled(text);
}
