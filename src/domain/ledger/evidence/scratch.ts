/** A table of 32-bit numbers for work over a whole ledger, kept outside of memory. */
export interface Scratch {
  readonly rows: number;
  /** As many numbers as the table has columns. */
  add(row: readonly number[]): void;
  /** Filled into `into`, which has room for all rows. */
  column(at: number, into: Uint32Array): Uint32Array;
  close(): void;
}

export type OpenScratch = (columns: number) => Promise<Scratch>;

/** For collections that are in memory anyway. */
export const memoryScratch: OpenScratch = async () => {
  const kept: (readonly number[])[] = [];
  return {
    get rows() {
      return kept.length;
    },
    add: (row) => kept.push(row),
    column(at, into) {
      for (const [row, values] of kept.entries()) into[row] = values[at] ?? 0;
      return into.subarray(0, kept.length);
    },
    close: () => {},
  };
};
