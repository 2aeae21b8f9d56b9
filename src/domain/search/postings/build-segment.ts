import { ByteWriter } from './bytes.ts';
import { BODY_WEIGHT, encodePostings, FIELD_WEIGHTS } from './posting-list.ts';
import { type TermBlock, TermBlockWriter } from './term-blocks.ts';
import { sortByTerm } from './term-key.ts';
import { TermTally } from './term-tally.ts';

/** Each text has a weight of its own. */
export interface ChunkFields {
  readonly title: string;
  readonly heading: string;
  readonly path: string;
  readonly body: string;
  /** The question that the body answers. */
  readonly question?: string;
}

export interface Segment {
  readonly blocks: readonly TermBlock[];
  /** Weighted number of terms of each chunk, in the order in which they were added. */
  readonly lengths: Uint16Array;
}

/** Beyond this size the cache of known words is dropped, to save memory. */
const MAX_REMEMBERED_TERMS = 300_000;

export class SegmentBuilder {
  #tally = new TermTally();
  #lengths: number[] = [];

  /** A measure of the memory in use. */
  get postingCount(): number {
    return this.#tally.logged;
  }

  add(fields: ChunkFields): void {
    this.#tally.add(fields.title, FIELD_WEIGHTS.title);
    this.#tally.add(fields.heading, FIELD_WEIGHTS.heading);
    this.#tally.add(fields.path, FIELD_WEIGHTS.path);
    this.#tally.add(fields.body, FIELD_WEIGHTS.body);
    this.#tally.add(fields.question ?? '', FIELD_WEIGHTS.question);
    const length = this.#tally.endChunk(this.#lengths.length);
    this.#lengths.push(Math.min(0xffff, Math.ceil(length / BODY_WEIGHT)));
  }

  /** Empties the builder, which remembers the words it has seen. */
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
