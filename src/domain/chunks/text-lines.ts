/** A text by its lines, counted from 0. A line ends after its line feed, the last one where the text ends. */
export class TextLines {
  readonly text: string;
  readonly count: number;
  /** One for each line, and one for the end. */
  readonly #starts: Int32Array;
  readonly #bytes: Int32Array;

  constructor(text: string) {
    this.text = text;
    const { starts, bytes } = measure(text);
    this.#starts = starts;
    this.#bytes = bytes;
    this.count = starts.length - 1;
  }

  /** Offset of the start of a line; for `count`, the end of the text. */
  start(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  line(line: number): string {
    return this.text.slice(this.start(line), this.start(line + 1));
  }

  /** Excludes the line `end`. */
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

  /** Number of leading blanks, a tab counting four; negative for a blank line. */
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

  /** First character that is not a blank; the line end on a blank line, NaN at the end of the text. */
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

/** One pass over the text, since this is the hot path of indexing. */
function measure(text: string): { starts: Int32Array; bytes: Int32Array } {
  let starts = new Int32Array(Math.max(16, text.length >> 4));
  let bytes = new Int32Array(starts.length);
  let count = 0;
  /** Bytes beyond one for each character. */
  let more = 0;
  let isLineStart = true;
  for (let at = 0; at < text.length; at++) {
    if (isLineStart) {
      if (count + 2 > starts.length) {
        starts = doubled(starts);
        bytes = doubled(bytes);
      }
      starts[count] = at;
      bytes[count++] = at + more;
    }
    const unit = text.charCodeAt(at);
    isLineStart = unit === LINE_FEED;
    if (unit >= 0x80) more += unit < 0x800 || isSurrogate(unit) ? 1 : 2;
  }
  starts[count] = text.length;
  bytes[count++] = text.length + more;
  return { starts: starts.subarray(0, count), bytes: bytes.subarray(0, count) };
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
