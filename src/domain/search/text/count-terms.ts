/** Counts the terms of many texts. The hot path of indexing: a run that was met before costs one look-up. */

import { CROWDED, doubled, RunTable } from './run-table.ts';
import { scanRuns } from './scan-runs.ts';
import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';

/** Longer runs are analysed each time: they hardly ever come twice. */
const MAX_REMEMBERED_RUN = 48;

export class TermCounter {
  /** Every term met so far; its place is its number. */
  readonly terms: string[] = [];
  /** Numbers of the terms of the current text, in order of first appearance; `found` of them are valid. */
  touched = new Int32Array(1024);
  found = 0;
  /** By term number: weighted occurrences in the current text. */
  counts = new Int32Array(4096);
  /** Weighted length of the current text. */
  length = 0;

  /** By word, stemmed and not: a stem is its own stem, so one map serves both. */
  readonly #numbers = new Map<string, number>();
  readonly #runs = new RunTable();
  #weight = 1;

  add(text: string, weight: number): void {
    this.#weight = weight;
    scanRuns(text, this.#onRun);
  }

  /** Forgets the counts of the current text, not the terms. */
  next(): void {
    for (let at = 0; at < this.found; at++) this.counts[this.touched[at] as number] = 0;
    this.found = 0;
    this.length = 0;
  }

  readonly #onRun = (text: string, start: number, end: number, hash: number): void => {
    const runs = this.#runs;
    let run = end - start > MAX_REMEMBERED_RUN ? CROWDED : runs.find(text, start, end, hash);
    if (run < 0) {
      const numbers = splitWord(text.slice(start, end), 'text').map((word) => this.#numberOf(word));
      if (run === CROWDED) {
        for (const number of numbers) this.#count(number);
        return;
      }
      run = runs.remember(text, start, end, hash, numbers);
    }
    const last = runs.end(run);
    for (let at = runs.start(run); at < last; at++) this.#count(runs.value(at));
  };

  #count(term: number): void {
    const before = this.counts[term] as number;
    if (before === 0) {
      if (this.found === this.touched.length) this.touched = doubled(this.touched);
      this.touched[this.found++] = term;
    }
    this.counts[term] = before + this.#weight;
    this.length += this.#weight;
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const term = stem(word);
    const number = term === word ? this.#newTerm(term) : this.#numberOf(term);
    this.#numbers.set(word, number);
    return number;
  }

  #newTerm(term: string): number {
    const number = this.terms.push(term) - 1;
    if (number >= this.counts.length) this.counts = doubled(this.counts);
    return number;
  }
}
