import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';

export interface TextBlock {
  readonly text: string;
  /** Counted from 1; both ends are included. */
  readonly first: number;
  readonly last: number;
  readonly heading: string;
}

const LONGEST_LINES = 24;

/** Blocks end at blank lines. A fence is one block, cut when it is long, and so is a heading with nothing below it. */
export function textBlocks(text: string): TextBlock[] {
  const reader = new BlockReader();
  for (const [at, line] of text.split('\n').entries()) reader.read(line, at + 1);
  return reader.end();
}

class BlockReader {
  readonly #blocks: TextBlock[] = [];
  readonly #headings: string[] = [];
  #block: { readonly lines: string[]; readonly first: number } | undefined;
  /** Last heading, while nothing is below it. */
  #bare: { readonly level: number; readonly block: TextBlock } | undefined;
  #fence: string | undefined;

  read(line: string, number: number): void {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (this.#fence === undefined && mark) this.#fence = mark;
    else if (this.#fence !== undefined && mark?.startsWith(this.#fence)) this.#fence = undefined;
    const heading = this.#fence === undefined && !mark ? /^(#{1,6})\s+(.*?)\s*$/.exec(line) : null;
    if (heading) this.#begin(line, number, heading);
    else if (line.trim() === '' && this.#fence === undefined) this.#close();
    else this.#add(line, number);
  }

  end(): TextBlock[] {
    this.#close();
    this.#keepBare(1);
    return this.#blocks;
  }

  #begin(line: string, number: number, [, marks = '', name = '']: readonly string[]): void {
    const level = marks.length;
    this.#close();
    this.#keepBare(level);
    this.#headings.length = level - 1;
    const block = { text: line, first: number, last: number, heading: this.#path() };
    this.#bare = { level, block };
    this.#headings.push(name);
  }

  #add(line: string, number: number): void {
    if (this.#block && this.#block.lines.length >= LONGEST_LINES) this.#close();
    this.#bare = undefined;
    this.#block ??= { lines: [], first: number };
    this.#block.lines.push(line);
  }

  #close(): void {
    if (!this.#block) return;
    const { lines, first } = this.#block;
    const last = first + lines.length - 1;
    this.#blocks.push({ text: lines.join('\n'), first, last, heading: this.#path() });
    this.#block = undefined;
  }

  /** A block below a deeper heading is below this one too. */
  #keepBare(nextLevel: number): void {
    if (this.#bare && this.#bare.level >= nextLevel) this.#blocks.push(this.#bare.block);
    this.#bare = undefined;
  }

  #path(): string {
    return this.#headings.filter(Boolean).join(HEADING_SEPARATOR);
  }
}
