import { type Block, DEEPEST_OUTLINE } from './outline.ts';

interface OpenBlock {
  readonly level: number;
  readonly first: number;
  readonly name: string;
  readonly blocks: Block[];
}

/** Makes an outline of beginnings alone: what begins on a level ends all that is open on it and below. */
export class OutlineBuilder {
  readonly #root: OpenBlock = { level: -1, first: 0, name: '', blocks: [] };
  readonly #open: OpenBlock[] = [this.#root];

  /** `level` is 0 or more, the outermost lowest. */
  begin({ level, first, name }: { level: number; first: number; name: string }): void {
    this.#closeDownTo(level, first);
    if (this.#open.length <= DEEPEST_OUTLINE) this.#open.push({ level, first, name, blocks: [] });
  }

  /** A part of what was begun last. */
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
