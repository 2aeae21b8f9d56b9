/** A table of 32-bit numbers for work over a whole ledger, kept outside of memory. */
export interface Scratch {
  readonly rows: number;
  /** As many numbers as the table has columns. */
  add(row: readonly number[]): void;
  column(at: number): Uint32Array;
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
    column: (at) => Uint32Array.from(kept, (row) => row[at] ?? 0),
    close: () => {},
  };
};
