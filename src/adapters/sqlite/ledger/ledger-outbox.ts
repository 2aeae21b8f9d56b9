/** Lines for a ledger file: committed with the change, written after it. */

import { Fault } from '../../../base/fault.ts';
import { LEDGER_FILES, type LedgerFiles, ledgerLine } from '../../../domain/ledger/entry/ledger-event.ts';
import type { Database } from '../seam/database.ts';
import { eventFrom } from './ledger-rows.ts';

export interface LedgerOutlets {
  readonly files: LedgerFiles;
  /** Reports ledger files that cannot be written; their lines are added later. */
  warn(text: string): void;
}

/** Lines that cannot be written stay outstanding. */
export async function writeOutstandingLines(
  database: Database,
  { files, warn }: LedgerOutlets,
): Promise<void> {
  const { statement } = database;
  const isAnyOutstanding = await database.read(() => statement(OUTSTANDING).get() !== undefined);
  if (!isAnyOutstanding) return;
  try {
    // The write lock of the database also keeps two processes from writing the same line.
    await database.write(() => {
      for (const row of statement(OUTSTANDING).all()) {
        const event = eventFrom(row);
        // The event's type determines the file. A row that named one could name any file of the operator's.
        const file = LEDGER_FILES[event.type];
        if (file) files.append(file, [{ eventId: event.eventId, line: ledgerLine(event) }]);
        statement('update event set is_in_file = 1 where id = ?').run(event.eventId);
      }
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    warn(`the change is kept, but a ledger file lacks it until it can be written: ${error.message}`);
  }
}

const OUTSTANDING = 'select * from event where is_in_file = 0 order by position';
