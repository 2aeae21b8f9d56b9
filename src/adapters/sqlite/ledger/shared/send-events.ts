import { Fault } from '../../../../base/fault.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { type LedgerEvent, versionFields } from '../../../../domain/ledger/entry/ledger-event.ts';
import { isBase, isToBeShared, monthOf, sharedLine } from '../../../../domain/ledger/shared/shared-line.ts';
import { ledgerCitations } from '../ledger-citations.ts';
import { eventFrom, VERSION_COLUMNS, versionFrom } from '../ledger-rows.ts';
import type { SealedDatabase } from '../ledger-seal.ts';
import { refold, type SharedOutlets } from './receive-events.ts';

/** Appends the operator's own events that no line has. Lines that cannot be written stay outstanding. */
export async function sendEvents(database: SealedDatabase, outlets: SharedOutlets): Promise<void> {
  const { statement } = database;
  const isAny = await database.read(() => statement('select 1 from event where is_shared = 0 limit 1').get());
  if (!isAny) return;
  try {
    // The write lock of the database also keeps two processes from writing the same line.
    await database.write(() => {
      const sent = sendOutstanding(database, outlets);
      // From the end, so that the first one that is looked at is mostly it.
      const last = statement(
        "select id from shared_event where state = 'counted' order by id desc limit 1",
      ).get()?.id;
      // Clocks differ: an event of somebody else may come after this one.
      if (typeof last === 'string' && sent.some((id) => id < last)) refold(database, outlets);
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    outlets.warn(`the change is kept, and shared when its file can be written: ${error.message}`);
  }
}

/** Returns the ids of what was sent. */
function sendOutstanding(database: SealedDatabase, { shared }: SharedOutlets): string[] {
  const { statement, seal } = database;
  const ledger = String(statement('select id from ledger').get()?.id);
  const sent: string[] = [];
  for (const row of statement('select * from event where is_shared = 0 order by position').all()) {
    const event = seal.checkedEvent(eventFrom(row), row.mac);
    // What came with the ledger is not the operator's to send.
    if (!event.isClaim && isToBeShared(event)) {
      const whole = { ...event, changes: event.changes.map((change) => withBase(database, change)) };
      const line = sharedLine(whole, ledger, seal.event(whole) ?? undefined);
      shared.append(monthOf(event), [{ eventId: event.eventId, line }]);
      sent.push(event.eventId);
    }
    statement('update event set is_shared = 1 where id = ?').run(event.eventId);
  }
  return sent;
}

/** Others may not have what the change rests on; then it says all. */
function withBase(database: SealedDatabase, change: LedgerEvent['changes'][number]): JsonObject {
  const { statement } = database;
  const id = String(change.id);
  const isThere = statement('select 1 from shared_base where entry = ?').get(id) !== undefined;
  if (!isThere) statement('insert into shared_base values (?)').run(id);
  const number = Number(change.version);
  const row = isThere || isBase(change) ? undefined : statement(VERSION).get(id, number);
  if (!row) return change;
  const cites = ledgerCitations(database)
    .known(id)
    .filter(({ version, until }) => version <= number && (until === undefined || until > number))
    .map(({ provenance, sha256 }) => ({ provenance, sha256: sha256 ?? null }));
  const { uncites: _, ...rest } = change;
  return { ...versionFields(versionFrom(row)), ...rest, ...(cites.length > 0 && { cites }) };
}

const VERSION = `
  select ${VERSION_COLUMNS} from version v join entry e on e.id = v.entry where v.entry = ? and v.number = ?`;
