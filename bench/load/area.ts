/** A kind of knowledge that can grow large, and the commands whose time and memory must not grow faster. */

import type { Bench } from '../bench.ts';

export interface LoadArea {
  /** `npm run bench:load -- NAME` measures this area alone. */
  readonly name: string;
  /** The thing that the sizes count. */
  readonly unit: string;
  readonly sizes: readonly number[];
  /** Writes so many of them; not measured. */
  fill(bench: Bench, size: number): void | Promise<void>;
  readonly steps: readonly LoadStep[];
}

export interface LoadStep {
  readonly name: string;
  /** Words of a ken command. */
  readonly words: readonly string[] | ((bench: Bench) => readonly string[]);
  /** Exit codes that are right (default: 0). */
  readonly codes?: readonly number[];
  /** Changes something first; not measured. */
  readonly before?: (bench: Bench) => unknown;
  readonly memory?: MemoryBar;
}

/** The most memory at a size: so many times that at the smallest size, or so many bytes more for each item. */
export type MemoryBar = { readonly timesSmallest: number } | { readonly bytesEach: number };
