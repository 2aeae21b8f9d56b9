/** Turns chunks into a segment: their terms, each with the chunks it is in. */

import { ByteWriter } from './bytes.ts';
import { BODY_WEIGHT, encodePostings, FIELD_WEIGHTS } from './posting-list.ts';
import { type TermBlock, TermBlockWriter } from './term-blocks.ts';
import { sortByTerm } from './term-key.ts';
import { TermTally } from './term-tally.ts';

/** The texts of a chunk, each with a weight of its own. */
export interface ChunkFields {
  readonly title: string;
  /** Headings above it, or the symbol it is in. */
  readonly heading: string;
  readonly path: string;
  readonly body: string;
}

export interface Segment {
  readonly blocks: readonly TermBlock[];
  /** By chunk, in the order in which they were added: occurrences of all terms, weighted. */
  readonly lengths: Uint16Array;
}

/** The cache of known words is dropped beyond this size, to save memory. */
const MAX_REMEMBERED_TERMS = 300_000;

export class SegmentBuilder {
  #tally = new TermTally();
  #lengths: number[] = [];

  /** Number of postings that `finish` has to sort; also a measure of the memory in use. */
  get postingCount(): number {
    return this.#tally.logged;
  }

  add(fields: ChunkFields): void {
    this.#tally.add(fields.title, FIELD_WEIGHTS.title);
    this.#tally.add(fields.heading, FIELD_WEIGHTS.heading);
    this.#tally.add(fields.path, FIELD_WEIGHTS.path);
    this.#tally.add(fields.body, FIELD_WEIGHTS.body);
    const length = this.#tally.endChunk(this.#lengths.length);
    this.#lengths.push(Math.min(0xffff, Math.ceil(length / BODY_WEIGHT)));
  }

  /** The segment of what was added; the builder is empty afterwards but remembers words it has seen. */
  finish(): Segment {
    const { terms } = this.#tally;
    const { chunks, weights, starts } = this.#tally.takeLog();
    const present: number[] = [];
    for (let term = 0; term < terms.length; term++) {
      if ((starts[term + 1] as number) > (starts[term] as number)) present.push(term);
    }
    const blocks = new TermBlockWriter();
    const list = new ByteWriter();
    for (const term of sortByTerm(present, terms)) {
      const range = { from: starts[term] as number, to: starts[term + 1] as number, base: 0 };
      encodePostings({ chunks, weights }, range, list);
      blocks.add(terms[term] as string, list);
    }
    const lengths = Uint16Array.from(this.#lengths);
    this.#lengths = [];
    if (terms.length > MAX_REMEMBERED_TERMS) this.#tally = new TermTally();
    return { blocks: blocks.finish(), lengths };
  }
}
