/** A posting list: the chunks that have a term, as gaps between their numbers, each with the weight of the term. */

import type { ByteWriter } from './bytes.ts';

/** Weight of an occurrence in a body; other fields are multiples of half of it. */
export const BODY_WEIGHT = 2;

/** Measured on collections with judgements; in units of half an occurrence in the body. */
export const FIELD_WEIGHTS = { title: 6, heading: 6, path: 2, body: BODY_WEIGHT, question: 1 } as const;
const MAX_WEIGHT = 255;

/** Decoded lists as `count` pairs. Reused from list to list, since most of a query's time is spent here. */
export class Postings {
  chunks = new Int32Array(1024);
  weights = new Uint8Array(1024);
  count = 0;

  add(chunk: number, weight: number): void {
    this.#makeRoom(this.count + 1);
    this.chunks[this.count] = chunk;
    this.weights[this.count++] = weight > MAX_WEIGHT ? MAX_WEIGHT : weight;
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds an encoded list whose numbers count from `base`. */
  addEncoded(bytes: Uint8Array, base: number): void {
    // No pair is shorter than a byte.
    this.#makeRoom(this.count + bytes.length);
    const { chunks, weights } = this;
    let { count } = this;
    let at = 0;
    let chunk = base - 1;
    const end = bytes.length;
    while (at < end) {
      let byte = bytes[at++] ?? 0;
      let gap = byte & 0x7f;
      for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
        byte = bytes[at++] ?? 0;
        gap |= (byte & 0x7f) << shift;
      }
      chunk += (gap >>> 1) + 1;
      chunks[count] = chunk;
      weights[count++] = (gap & 1) === 0 ? BODY_WEIGHT : (bytes[at++] ?? 0);
    }
    this.count = count;
  }

  /** Removes chunks that are not flagged. */
  keep(flags: Uint8Array): void {
    let kept = 0;
    for (let at = 0; at < this.count; at++) {
      const chunk = this.chunks[at] as number;
      if (flags[chunk] !== 1) continue;
      this.chunks[kept] = chunk;
      this.weights[kept++] = this.weights[at] as number;
    }
    this.count = kept;
  }

  /** Multiplies the weights from `from` on, but keeps each above zero. */
  scale(from: number, factor: number): void {
    for (let at = from; at < this.count; at++) {
      this.weights[at] = Math.max(1, Math.round((this.weights[at] as number) * factor));
    }
  }

  /** Merges the lists of several terms, and adds the weights of chunks in more than one. */
  combine(): void {
    const weights = new Map<number, number>();
    for (let at = 0; at < this.count; at++) {
      const chunk = this.chunks[at] as number;
      weights.set(chunk, (weights.get(chunk) ?? 0) + (this.weights[at] as number));
    }
    this.clear();
    for (const chunk of [...weights.keys()].sort((a, b) => a - b)) this.add(chunk, weights.get(chunk) ?? 0);
  }

  #makeRoom(count: number): void {
    if (count <= this.chunks.length) return;
    const chunks = new Int32Array(Math.max(count, this.chunks.length * 2));
    chunks.set(this.chunks);
    this.chunks = chunks;
    const weights = new Uint8Array(chunks.length);
    weights.set(this.weights);
    this.weights = weights;
  }
}

/** Writes pairs `from` to `to` of a list whose chunk numbers rise, counted from `base`. */
export function encodePostings(
  postings: Pick<Postings, 'chunks' | 'weights'>,
  { from, to, base }: { from: number; to: number; base: number },
  writer: ByteWriter,
): void {
  let before = base - 1;
  for (let at = from; at < to; at++) {
    const chunk = postings.chunks[at] as number;
    const weight = postings.weights[at] as number;
    const gap = chunk - before - 1;
    before = chunk;
    // Most terms occur once in a body: they need no byte for their weight.
    writer.number(gap * 2 + (weight === BODY_WEIGHT ? 0 : 1));
    if (weight !== BODY_WEIGHT) writer.byte(Math.min(weight, MAX_WEIGHT));
  }
}
