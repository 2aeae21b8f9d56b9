/** Turns chunks into a segment: their terms, each with the chunks it is in. */

import { TermCounter } from '../text/count-terms.ts';
import { ByteWriter } from './bytes.ts';
import { BODY_WEIGHT, encodePostings } from './posting-list.ts';
import { type TermBlock, TermBlockWriter } from './term-blocks.ts';
import { sortByTerm } from './term-key.ts';

/** The texts of a chunk, each weighing as much as it says about the whole. */
export interface ChunkFields {
  readonly title: string;
  /** Headings above it, or the symbol it is in. */
  readonly heading: string;
  readonly path: string;
  readonly body: string;
}

/** Measured on collections with judgements; in units of half an occurrence in the body. */
export const FIELD_WEIGHTS = { title: 6, heading: 4, path: 2, body: BODY_WEIGHT } as const;

export interface Segment {
  readonly blocks: readonly TermBlock[];
  /** By chunk, in the order in which they were added: occurrences of all terms, weighted. */
  readonly lengths: Uint16Array;
}

export class SegmentBuilder {
  readonly #counter = new TermCounter();
  readonly #log = new PostingLog();
  #lengths: number[] = [];

  get chunkCount(): number {
    return this.#lengths.length;
  }

  /** How much `finish` will have to sort; also a measure of the memory in use. */
  get postingCount(): number {
    return this.#log.count;
  }

  add(fields: ChunkFields): void {
    const counter = this.#counter;
    counter.add(fields.title, FIELD_WEIGHTS.title);
    counter.add(fields.heading, FIELD_WEIGHTS.heading);
    counter.add(fields.path, FIELD_WEIGHTS.path);
    counter.add(fields.body, FIELD_WEIGHTS.body);
    const chunk = this.#lengths.length;
    for (let at = 0; at < counter.found; at++) {
      const term = counter.touched[at] as number;
      this.#log.add(term, chunk, counter.counts[term] as number);
    }
    this.#lengths.push(Math.min(0xffff, Math.ceil(counter.length / BODY_WEIGHT)));
    counter.next();
  }

  /** The segment of what was added; the builder is empty afterwards but remembers words it has seen. */
  finish(): Segment {
    const { terms } = this.#counter;
    const { chunks, weights, starts } = this.#log.sortedByTerm(terms.length);
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
    this.#log.clear();
    return { blocks: blocks.finish(), lengths };
  }
}

/** Postings in the order in which they were met. */
class PostingLog {
  #terms = new Int32Array(1 << 16);
  #chunks = new Int32Array(1 << 16);
  #weights = new Uint8Array(1 << 16);
  count = 0;

  add(term: number, chunk: number, weight: number): void {
    if (this.count === this.#terms.length) this.#grow();
    this.#terms[this.count] = term;
    this.#chunks[this.count] = chunk;
    this.#weights[this.count++] = weight > 0xff ? 0xff : weight;
  }

  clear(): void {
    this.count = 0;
  }

  /** A counting sort: the chunks of term `t` are at `starts[t]` up to `starts[t + 1]`, still rising. */
  sortedByTerm(termCount: number) {
    const starts = new Int32Array(termCount + 1);
    for (let at = 0; at < this.count; at++) {
      const after = (this.#terms[at] as number) + 1;
      starts[after] = (starts[after] as number) + 1;
    }
    for (let term = 0; term < termCount; term++) {
      starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
    }
    const next = starts.slice(0, termCount);
    const chunks = new Int32Array(this.count);
    const weights = new Uint8Array(this.count);
    for (let at = 0; at < this.count; at++) {
      const term = this.#terms[at] as number;
      const to = next[term] as number;
      next[term] = to + 1;
      chunks[to] = this.#chunks[at] as number;
      weights[to] = this.#weights[at] as number;
    }
    return { chunks, weights, starts };
  }

  #grow(): void {
    const length = this.#terms.length * 2;
    const terms = new Int32Array(length);
    terms.set(this.#terms);
    this.#terms = terms;
    const chunks = new Int32Array(length);
    chunks.set(this.#chunks);
    this.#chunks = chunks;
    const weights = new Uint8Array(length);
    weights.set(this.#weights);
    this.#weights = weights;
  }
}
