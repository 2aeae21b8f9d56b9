import type { LedgerFile } from './ledger-event.ts';

export interface LedgerLine {
  readonly eventId: string;
  /** Without its end. */
  readonly line: string;
}

/** The ledger files of one workspace. Whoever calls makes sure that nobody else does at the same time. */
export interface LedgerFiles {
  /** Every line there is, in order; none when there is no such file or it cannot be read. */
  lines(file: LedgerFile): readonly string[];
  /**
   * Each line is on the disk, at the end of its file, when this returns; one that is there already stays alone. A
   * file that cannot be written is a Fault.
   */
  append(file: LedgerFile, lines: readonly LedgerLine[]): void;
}
