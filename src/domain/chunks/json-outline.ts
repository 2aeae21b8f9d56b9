/** Outlines JSON, with or without comments, by its keys. Damaged JSON gives a partial outline. */

import { type Block, DEEPEST_OUTLINE, nameFrom } from './outline.ts';
import type { TextLines } from './text-lines.ts';

interface Container {
  readonly first: number;
  readonly name: string;
  readonly isArray: boolean;
  readonly blocks: Block[];
  key: string;
  keyLine: number;
  index: number;
}

export function jsonOutline(lines: TextLines): Block[] {
  const reader = new JsonReader(lines);
  reader.read();
  return reader.root.blocks;
}

class JsonReader {
  readonly root: Container = container({ first: 0, name: '', isArray: false });
  readonly #lines: TextLines;
  readonly #open: Container[] = [this.root];
  /** Number of open containers that are too deep for the outline. */
  #tooDeep = 0;
  #line = 0;
  #at = 0;

  constructor(lines: TextLines) {
    this.#lines = lines;
  }

  read(): void {
    const { text } = this.#lines;
    for (; this.#at < text.length; this.#at++) this.#take(text.charCodeAt(this.#at));
    while (this.#open.length > 1) this.#close(this.#lines.count);
  }

  #take(unit: number): void {
    const inner = this.#open.at(-1) ?? this.root;
    if (unit === LINE_FEED) this.#line++;
    else if (unit === QUOTE) this.#readString(inner);
    else if (unit === SLASH) this.#skipComment();
    else if (unit === COMMA && this.#tooDeep === 0) {
      inner.index++;
      inner.key = '';
      inner.keyLine = -1;
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) this.#opened(inner, unit === OPEN_BRACKET);
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) this.#closed();
  }

  #readString(inner: Container): void {
    const { text } = this.#lines;
    const start = this.#at + 1;
    let end = start;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      if (unit === BACKSLASH) end++;
      // No string continues over a line end: a lone quote spoils only its own line.
      else if (unit === QUOTE || unit === LINE_FEED) break;
    }
    this.#at = text.charCodeAt(end) === LINE_FEED ? end - 1 : end;
    if (this.#tooDeep > 0 || inner.isArray || inner.keyLine >= 0) return;
    inner.key = text.slice(start, Math.min(end, start + 200));
    inner.keyLine = this.#line;
  }

  #skipComment(): void {
    const { text } = this.#lines;
    const next = text[this.#at + 1];
    if (next === '/') {
      const end = text.indexOf('\n', this.#at);
      this.#at = end < 0 ? text.length : end - 1;
    } else if (next === '*') {
      const end = text.indexOf('*/', this.#at + 2);
      const last = end < 0 ? text.length - 1 : end + 1;
      for (let at = this.#at; at <= last; at++) if (text.charCodeAt(at) === LINE_FEED) this.#line++;
      this.#at = last;
    }
  }

  #opened(inner: Container, isArray: boolean): void {
    if (this.#open.length > DEEPEST_OUTLINE) {
      this.#tooDeep++;
      return;
    }
    const isRoot = inner === this.root;
    const name = isRoot ? '' : inner.isArray ? `[${inner.index}]` : nameFrom(inner.key);
    const first = inner.keyLine >= 0 ? inner.keyLine : this.#line;
    this.#open.push(container({ first, name, isArray }));
  }

  #closed(): void {
    if (this.#tooDeep > 0) this.#tooDeep--;
    else if (this.#open.length > 1) this.#close(this.#line + 1);
  }

  #close(end: number): void {
    const closed = this.#open.pop();
    const around = this.#open.at(-1);
    if (closed && around) {
      const { first, name, blocks } = closed;
      around.blocks.push({ first, end, name, blocks });
    }
  }
}

function container(start: Pick<Container, 'first' | 'name' | 'isArray'>): Container {
  return { ...start, blocks: [], key: '', keyLine: -1, index: 0 };
}

const [LINE_FEED, QUOTE, BACKSLASH, SLASH, COMMA] = codes('\n"\\/,');
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = codes('{}[]');

function codes(marks: string): number[] {
  return [...marks].map((mark) => mark.charCodeAt(0));
}
