import { utf8Length } from '../../base/text.ts';

/** A text by its lines, counted from 0. A line ends after its line feed, and the last one where the text ends. */
export class TextLines {
  readonly text: string;
  readonly count: number;
  /** By line, and one more for the end. */
  readonly #starts: Int32Array;
  readonly #bytes: Int32Array;

  constructor(text: string) {
    this.text = text;
    this.#starts = lineStarts(text);
    this.count = this.#starts.length - 1;
    this.#bytes = bytesBefore(text, this.#starts);
  }

  /** Where a line begins; for `count`, where the text ends. */
  start(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  /** With its line end. */
  line(line: number): string {
    return this.text.slice(this.start(line), this.start(line + 1));
  }

  /** Lines `first` up to, not including, `end`. */
  slice(first: number, end: number): string {
    return this.text.slice(this.start(first), this.start(end));
  }

  /** In bytes of UTF-8. */
  size(first: number, end: number): number {
    return (this.#bytes[end] ?? 0) - (this.#bytes[first] ?? 0);
  }

  isBlank(line: number): boolean {
    return this.indent(line) < 0;
  }

  /** How many blanks it begins with, a tab for four; less than 0 for a line of blanks alone. */
  indent(line: number): number {
    const end = this.start(line + 1);
    let columns = 0;
    for (let at = this.start(line); at < end; at++) {
      const unit = this.text.charCodeAt(at);
      if (unit === TAB) columns += 4;
      else if (unit === SPACE) columns++;
      else return unit === LINE_FEED || unit === CARRIAGE_RETURN ? -1 : columns;
    }
    return -1;
  }

  /** The first character that is no blank; the line end's on a blank line, NaN where the text ends. */
  firstUnit(line: number): number {
    let at = this.start(line);
    let unit = this.text.charCodeAt(at);
    while (unit === SPACE || unit === TAB) unit = this.text.charCodeAt(++at);
    return unit;
  }
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

function lineStarts(text: string): Int32Array {
  let starts = new Int32Array(Math.max(16, text.length >> 4));
  let count = 0;
  for (let at = 0; at < text.length; ) {
    if (count + 1 >= starts.length) {
      const larger = new Int32Array(starts.length * 2);
      larger.set(starts);
      starts = larger;
    }
    starts[count++] = at;
    const feed = text.indexOf('\n', at);
    at = feed < 0 ? text.length : feed + 1;
  }
  starts[count] = text.length;
  return starts.subarray(0, count + 1);
}

function bytesBefore(text: string, starts: Int32Array): Int32Array {
  if (utf8Length(text) === text.length) return starts;
  const bytes = new Int32Array(starts.length);
  for (let line = 1; line < starts.length; line++) {
    const length = utf8Length(text.slice(starts[line - 1], starts[line]));
    bytes[line] = (bytes[line - 1] ?? 0) + length;
  }
  return bytes;
}
