/** A row of the benchmark. Each file in rows/ exports a list of them as `rows`. */

import type { Bench } from './bench.ts';

/** Times something against a floor in the same run. */
export interface RatioRow {
  /** Short and kebab-case: `npm run bench -- NAME` runs this row alone. */
  readonly name: string;
  /** The timed command, and its floor, in the reader's words. */
  readonly subject: string;
  readonly floor: string;
  /** The highest ratio allowed; absent for a row that only informs. */
  readonly bar?: number;
  /** The time of a side that counts (default: the best). */
  readonly statistic?: 'best' | 'p95';
  /** Builds the data, untimed, and answers the two sides. */
  prepare(bench: Bench): Sides | Promise<Sides>;
}

export interface Sides {
  readonly subject: Side;
  readonly floor: Side;
  /** Closes what was opened for them. */
  close?(): void | Promise<void>;
}

/** Does the thing once and answers how many milliseconds it took. */
export type Side = () => number | Promise<number>;

/** Measures an amount that has a bar of its own: memory, or what a person waits for. */
export interface AmountRow {
  readonly name: string;
  readonly subject: string;
  readonly unit: 'MiB' | 'ms';
  readonly bar?: number;
  measure(bench: Bench): number | Promise<number>;
}

export type Row = RatioRow | AmountRow;
