import type { LedgerFile } from './ledger-event.ts';

export interface LedgerLine {
  readonly eventId: string;
  /** Without its end. */
  readonly line: string;
}

/** The ledger files of one workspace. Whoever calls makes sure that nobody else does at the same time. */
export interface LedgerFiles {
  /**
   * Each line is on the disk, at the end of its file, when this returns; one that is there already stays alone. A
   * file that cannot be written is a Fault.
   */
  append(file: LedgerFile, lines: readonly LedgerLine[]): void;
}
