/** Selects the best few of many without sorting all. */

import type { AllScores } from './score-words.ts';

export interface Candidate {
  readonly field: number;
  readonly chunk: number;
}

export interface Scored extends Candidate {
  readonly score: number;
}

/** Highest first; equal ones by field and chunk. Ignores values that are not above zero. */
export function selectTop({ fields, enoughAbove }: AllScores, count: number): Scored[] {
  // Without it, most of what enters the heap leaves it again.
  const heap = new LowestFirst(count, enoughAbove(count));
  for (const [field, { scores, above }] of fields.entries()) {
    for (let chunk = above(heap.threshold, 0); chunk < scores.length; ) {
      heap.offer({ field, chunk, score: scores[chunk] as number });
      chunk = above(heap.threshold, chunk + 1);
    }
  }
  return heap.sorted();
}

/** A binary heap of bounded size whose root is the worst. */
class LowestFirst {
  /** Nothing at or below this enters: a later chunk with the same score has the higher number. */
  threshold: number;
  readonly #items: Scored[] = [];
  readonly #limit: number;

  constructor(limit: number, threshold: number) {
    this.#limit = limit;
    this.threshold = limit > 0 ? threshold : Number.POSITIVE_INFINITY;
  }

  offer(item: Scored): void {
    const items = this.#items;
    if (items.length < this.#limit) {
      items.push(item);
      this.#rise(items.length - 1);
    } else {
      items[0] = item;
      this.#sink(0);
    }
    if (items.length === this.#limit) this.threshold = items[0]?.score ?? 0;
  }

  sorted(): Scored[] {
    return this.#items.sort(bestFirst);
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#goesBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(from: number): void {
    const items = this.#items;
    for (let at = from; ; ) {
      const left = 2 * at + 1;
      let first = at;
      if (left < items.length && this.#goesBefore(left, first)) first = left;
      if (left + 1 < items.length && this.#goesBefore(left + 1, first)) first = left + 1;
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #swap(a: number, b: number): void {
    const item = this.#items[a] as Scored;
    this.#items[a] = this.#items[b] as Scored;
    this.#items[b] = item;
  }

  #goesBefore(a: number, b: number): boolean {
    return bestFirst(this.#items[a] as Scored, this.#items[b] as Scored) > 0;
  }
}

function bestFirst(a: Scored, b: Scored): number {
  return b.score - a.score || a.field - b.field || a.chunk - b.chunk;
}
