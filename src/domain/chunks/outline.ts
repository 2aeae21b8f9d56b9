/** Whole lines that belong together. */
export interface Block {
  /** Lines from 0; `end` is the line after the last. */
  readonly first: number;
  readonly end: number;
  /** Symbol or heading; empty for a statement or a paragraph. */
  readonly name: string;
  /** Parts to cut it into when it is too large, in order. Text between them belongs to the block itself. */
  readonly blocks: readonly Block[];
  /** Cut only when it exceeds the cap. */
  readonly isSolid?: boolean;
}

/** Deeper text is cut by lines. */
export const DEEPEST_OUTLINE = 12;

const LONGEST_NAME = 80;

/** Shortens a name from a foreign text to one line. */
export function nameFrom(text: string): string {
  // Only the part that stays is examined, however long the text is.
  const line = text
    .slice(0, LONGEST_NAME * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const letters = [...line];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME - 1).join('')}…` : line;
}

interface OpenBlock {
  readonly level: number;
  readonly first: number;
  readonly name: string;
  readonly blocks: Block[];
}

/** Builds an outline from beginnings alone: a new block closes all open blocks of its level and below. */
export class OutlineBuilder {
  readonly #root: OpenBlock = { level: -1, first: 0, name: '', blocks: [] };
  readonly #open: OpenBlock[] = [this.#root];

  /** Level 0 is the outermost. */
  begin({ level, first, name }: { level: number; first: number; name: string }): void {
    this.#closeDownTo(level, first);
    if (this.#open.length <= DEEPEST_OUTLINE) this.#open.push({ level, first, name, blocks: [] });
  }

  /** Adds a part to the block that was begun last. */
  add(block: Block): void {
    this.#innermost.blocks.push(block);
  }

  finish(end: number): Block[] {
    this.#closeDownTo(0, end);
    return this.#root.blocks;
  }

  get #innermost(): OpenBlock {
    return this.#open.at(-1) ?? this.#root;
  }

  #closeDownTo(level: number, end: number): void {
    while (this.#innermost.level >= level) {
      const closed = this.#open.pop();
      if (!closed) return;
      const { first, name, blocks } = closed;
      if (end > first) this.#innermost.blocks.push({ first, end, name, blocks });
    }
  }
}
