/** Compares the ledger's database with itself and with the ledger files. */

import type { DatabaseSync } from 'node:sqlite';
import { Fault } from '../../../base/fault.ts';
import { memberOf, parseJson } from '../../../base/json.ts';
import { LEDGER_FILES, type LedgerFile } from '../../../domain/ledger/entry/ledger-event.ts';
import type { Database } from '../seam/database.ts';
import type { SalvageSources } from './salvage-ledger.ts';

/** Whether the database can be opened and every page of it read, and whether the ledger files have its events. */
export async function ledgerHealth(
  open: () => Promise<Database>,
  lines: SalvageSources['lines'],
): Promise<'good' | 'damaged' | 'lines-missing'> {
  let database: Database | undefined;
  try {
    database = await open();
    const { connection } = database;
    if (connection.prepare('pragma quick_check(1)').get()?.quick_check !== 'ok') return 'damaged';
    if (hasUnknownLines(connection, lines)) return 'damaged';
    return missingLines(connection, lines).length > 0 ? 'lines-missing' : 'good';
  } catch (error) {
    if (error instanceof Fault && !DAMAGED.has(error.code)) throw error;
    return 'damaged';
  } finally {
    await database?.close();
  }
}

const DAMAGED: ReadonlySet<string> = new Set(['store/corrupt', 'store/foreign']);

/** The next use of the ledger writes the lines again that its files lack. Returns their number. */
export async function rewriteLines(
  open: () => Promise<Database>,
  lines: SalvageSources['lines'],
): Promise<number> {
  const database = await open();
  try {
    const missing = missingLines(database.connection, lines);
    await database.write(() => {
      for (const id of missing) database.statement('update event set is_in_file = 0 where id = ?').run(id);
    });
    return missing.length;
  } finally {
    await database.close();
  }
}

/** Lines of events that the database lacks, as after an older copy of it was put in its place. */
function hasUnknownLines(connection: DatabaseSync, lines: SalvageSources['lines']): boolean {
  const known = connection.prepare('select 1 from event where id = ?');
  return FEEDBACK_FILES.some((file) =>
    lines(file).some((line) => {
      const id = memberOf(parseJson(line), 'event_id');
      return typeof id === 'string' && !known.get(id);
    }),
  );
}

/** Promotions are read from their file whenever a ledger is opened. */
const FEEDBACK_FILES: readonly LedgerFile[] = [
  'knowledge.retrieval.events.jsonl',
  'knowledge.decay.events.jsonl',
];

function missingLines(connection: DatabaseSync, lines: SalvageSources['lines']): string[] {
  return [...new Set(Object.values(LEDGER_FILES))].flatMap((file) => {
    const there = new Set(lines(file).map((line) => memberOf(parseJson(line), 'event_id')));
    const written = connection.prepare('select id from event where file = ? and is_in_file = 1');
    return [...written.iterate(file)].map(({ id }) => String(id)).filter((id) => !there.has(id));
  });
}
