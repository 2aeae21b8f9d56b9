/** Where a command's words go: data to standard output, everything else to standard error. */

import { neutralise } from '../../base/terminal-text.ts';
import { errorAsJson, errorAsText } from './error-text.ts';
import type { Globals } from './globals.ts';
import { terminalJson } from './terminal-json.ts';

export interface Terminal {
  readonly json: boolean;
  readonly verbose: boolean;
  /** A person sits at it: both standard input and standard error are terminals. */
  readonly isInteractive: boolean;
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  readonly color: boolean;
  /** Of standard output; 80 where it is not a terminal. */
  readonly columns: number;

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
}

export interface Streams {
  readonly output: NodeJS.WriteStream;
  readonly errors: NodeJS.WriteStream;
  readonly input: NodeJS.ReadStream;
}

export function processTerminal(
  streams: Streams,
  environment: NodeJS.ProcessEnv,
  globals: Pick<Globals, 'json' | 'quiet' | 'verbose' | 'color'>,
): Terminal {
  const { output, errors } = streams;
  const isTerminal = output.isTTY === true;
  const write = (text: string) => void output.write(isTerminal ? neutralise(text) : text);
  const say = (text: string) => void errors.write(`${neutralise(text)}\n`);
  return {
    json: globals.json,
    verbose: globals.verbose,
    isTerminal,
    get isInteractive() {
      return errors.isTTY === true && streams.input.isTTY === true;
    },
    color: wantsColor(isTerminal, environment, globals.color),
    columns: output.columns || 80,
    write,
    print: (text) => write(`${text}\n`),
    printStyled: (text) => void output.write(`${text}\n`),
    printJson: (value) =>
      void output.write(`${jsonFor(isTerminal, value, 2)}
`),
    printJsonLine: (value) =>
      void output.write(`${jsonFor(isTerminal, value)}
`),
    writeStyled: (text) => void output.write(text),
    note: (text) => {
      if (!globals.quiet) say(text);
    },
    dim: (text) => {
      if (!globals.quiet)
        void errors.write(`${dimmed(neutralise(text), errors, environment, globals.color)}\n`);
    },
    warn: (text) => say(`warning: ${text}`),
    detail: (text) => {
      if (globals.verbose) say(text);
    },
    readInput: async () =>
      streams.input.isTTY ? undefined : Buffer.concat(await Array.fromAsync(streams.input)),
    error: (error) => say(globals.json ? errorAsJson(error) : errorAsText(error, globals.verbose)),
  };
}

function jsonFor(isTerminal: boolean, value: unknown, indent?: number): string {
  return isTerminal ? terminalJson(value, indent) : JSON.stringify(value);
}

function wantsColor(isTerminal: boolean, environment: NodeJS.ProcessEnv, flag: boolean): boolean {
  if (!flag || environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return environment.FORCE_COLOR !== '0';
  return isTerminal && environment.TERM !== 'dumb';
}

function dimmed(
  text: string,
  stream: NodeJS.WriteStream,
  environment: NodeJS.ProcessEnv,
  flag: boolean,
): string {
  return wantsColor(stream.isTTY === true, environment, flag) ? `\u001b[2m${text}\u001b[22m` : text;
}
