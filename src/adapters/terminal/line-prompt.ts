import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { LineAnswer, LinePrompt, LineRequest } from '../../base/processes.ts';
import { neutralise } from '../../base/terminal-text.ts';
import type { LineStreams } from './read-line.ts';

const PASTES_ON = '\u001b[?2004h';
const PASTES_OFF = '\u001b[?2004l';

/** Reads lines with history and completion. A backslash before Enter, or Alt-Enter, continues on the next line. */
export function terminalPrompt(streams: LineStreams): LinePrompt {
  let ahead: readonly Typed[] = [];
  return {
    async read(request) {
      const keyboard = openKeyboard(streams, request.isFresh ? [] : ahead);
      try {
        const answer = await readAnswer(streams, keyboard, request);
        ahead = answer.type === 'line' ? keyboard.left() : [];
        return answer;
      } finally {
        keyboard.close();
      }
    },
  };
}

function readAnswer(
  { output }: LineStreams,
  { keys, pastes }: Keyboard,
  { prompt, history, complete }: LineRequest,
): Promise<LineAnswer> {
  const lines = createInterface({
    input: keys,
    output,
    terminal: true,
    prompt,
    history: history
      .filter((each) => each.length <= LONGEST_INLINE)
      .map((each) => each.replaceAll('\n', LINE_END))
      .slice(0, LONGEST_HISTORY),
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: null, found: [string[], string]) => void) => {
      complete(line).then(
        (found) => done(null, [[...found.values], found.typed]),
        () => done(null, [[], line]),
      );
    },
  });
  const written: string[] = [];
  return new Promise<LineAnswer>((resolve) => {
    lines.on('line', (line) => {
      const isContinued = line.endsWith('\\');
      written.push(isContinued ? line.slice(0, -1) : line);
      if (isContinued) {
        lines.setPrompt('… ');
        lines.prompt();
      } else {
        const text = written.join('\n').replaceAll(LINE_END, '\n');
        resolve({ type: 'line', text: withPastes(text, pastes) });
      }
    });
    lines.on('SIGINT', () => {
      output.write('\n');
      resolve({ type: 'interrupted', hadText: written.length > 0 || lines.line !== '' });
    });
    lines.on('close', () => resolve({ type: 'end' }));
    lines.prompt();
  }).finally(() => lines.close());
}

const LONGEST_HISTORY = 1000;
/** Stands for a line end in an earlier text, which is recalled on one line. */
const LINE_END = '⏎';

interface Keyboard {
  /** The typed text, with a short name in the place of each long paste. */
  readonly keys: PassThrough;
  readonly pastes: ReadonlyMap<string, string>;
  /** The keys that came after the submitted line. */
  left(): readonly Typed[];
  close(): void;
}

interface Typed {
  readonly text: string;
  readonly isPaste?: boolean;
}

/** Puts the terminal into raw mode, and asks it to mark pastes, which then submit nothing. */
function openKeyboard({ input, output }: LineStreams, ahead: readonly Typed[]): Keyboard {
  const keys = new PassThrough();
  const pastes = new Map<string, string>();
  const decoder = new StringDecoder('utf8');
  const shown = (text: string) => {
    if (text.length <= LONGEST_INLINE && !/\n/.test(text)) return neutralise(text);
    const name = `[paste ${pastes.size + 1}: ${sizeOf(text)}]`;
    pastes.set(name, text);
    return name;
  };
  const queue = lineQueue(ahead, ({ text, isPaste }) => void keys.write(isPaste ? shown(text) : text));
  const separate = separatePastes({
    typed: (text) => queue.add(typedLines(text)),
    pasted: (text) => queue.add([{ text, isPaste: true }]),
  });
  const read = (chunk: Buffer) => separate(decoder.write(chunk));
  const end = () => void keys.end();
  input.setRawMode(true);
  output.write(PASTES_ON);
  input.on('data', read);
  input.on('end', end);
  input.resume();
  return {
    keys,
    pastes,
    left: queue.left,
    close() {
      queue.close();
      input.off('data', read);
      input.off('end', end);
      input.pause();
      output.write(PASTES_OFF);
      input.setRawMode(false);
    },
  };
}

/** Each with its end, which is Enter: lines that were typed while nobody read them end otherwise. */
function typedLines(text: string): Typed[] {
  const entered = text
    .replaceAll('\u001b\r', '\\\r')
    .replaceAll('\u001b\n', '\\\r')
    .replaceAll(/\r?\n/g, '\r');
  return entered.split(/(?<=\r)/).map((line) => ({ text: line }));
}

/** Passes on a line only after the one before was taken: what follows a submitted line belongs to the next question. */
function lineQueue(ahead: readonly Typed[], pass: (typed: Typed) => void) {
  const waiting = [...ahead];
  let taking: NodeJS.Immediate | undefined;
  const next = () => {
    taking = undefined;
    for (;;) {
      const typed = waiting.shift();
      if (!typed) return;
      pass(typed);
      if (!typed.isPaste && typed.text.endsWith('\r')) {
        // The line is taken before this; if that was the whole question, the queue is closed by then.
        taking = setImmediate(next);
        return;
      }
    }
  };
  taking = setImmediate(next);
  return {
    add(typed: readonly Typed[]) {
      waiting.push(...typed);
      if (!taking) next();
    },
    left: (): readonly Typed[] => waiting,
    close: () => clearImmediate(taking),
  };
}

const LONGEST_INLINE = 1000;
const BEGIN = '\u001b[200~';
const END = '\u001b[201~';

/** Accepts text cut anywhere. */
export function separatePastes(sink: { typed(text: string): void; pasted(text: string): void }) {
  let rest = '';
  let paste: string[] | undefined;
  return (text: string): void => {
    rest += text;
    for (;;) {
      const mark = paste ? END : BEGIN;
      const at = rest.indexOf(mark);
      if (at === -1) break;
      const before = rest.slice(0, at);
      rest = rest.slice(at + mark.length);
      if (paste) {
        sink.pasted([...paste, before].join('').replaceAll(/\r\n?/g, '\n'));
        paste = undefined;
      } else {
        if (before !== '') sink.typed(before);
        paste = [];
      }
    }
    const kept = paste ? beginningOf(END, rest, 1) : beginningOf(BEGIN, rest, 2);
    const whole = rest.slice(0, rest.length - kept.length);
    rest = kept;
    if (paste) paste.push(whole);
    else if (whole !== '') sink.typed(whole);
  };
}

/** The end of the text that may be the beginning of the mark. What is typed needs two characters: Escape is a key. */
function beginningOf(mark: string, text: string, shortest: number): string {
  for (let length = Math.min(mark.length - 1, text.length); length >= shortest; length--)
    if (text.endsWith(mark.slice(0, length))) return mark.slice(0, length);
  return '';
}

function withPastes(text: string, pastes: ReadonlyMap<string, string>): string {
  let whole = text;
  for (const [name, pasted] of pastes) whole = whole.replace(name, () => pasted);
  return whole;
}

function sizeOf(text: string): string {
  const lines = text.split('\n').length;
  return lines > 1 ? `${lines.toLocaleString('en')} lines` : `${text.length.toLocaleString('en')} characters`;
}
