import type { LedgerFiles } from '../../domain/ledger/ledger-files.ts';
import { planAdd } from '../../domain/ledger/plan-add.ts';
import { planDecay, planStatus } from '../../domain/ledger/plan-status.ts';
import { planRetrieval } from '../../domain/ledger/retrieval.ts';
import type { LedgerStore } from '../../domain/ledger/store.ts';
import type { Database } from './database.ts';
import { writeOutstandingLines } from './ledger-outbox.ts';
import { ledgerReader } from './ledger-reader.ts';
import { eventFrom, VERSION_COLUMNS, versionFrom } from './ledger-rows.ts';
import { ledgerWriter } from './ledger-writer.ts';

export interface LedgerOutlets {
  readonly files: LedgerFiles;
  /** Told about ledger files that cannot be written; what they miss is added later. */
  warn(text: string): void;
}

/** With what an earlier process left out of the ledger files written into them. */
export async function openLedgerStore(database: Database, outlets: LedgerOutlets): Promise<LedgerStore> {
  await writeOutstandingLines(database, outlets);
  return sqliteLedgerStore(database, outlets);
}

export function sqliteLedgerStore(database: Database, outlets: LedgerOutlets): LedgerStore {
  const { statement } = database;
  const rows = ledgerReader(database);
  const writer = ledgerWriter(database);
  const catchUp = () => writeOutstandingLines(database, outlets);

  return {
    add: (request) =>
      database.write(() => {
        const { change, result } = planAdd(
          {
            sameId: rows.entry(request.id),
            holder: request.mergeKey === undefined ? undefined : rows.holder(request.mergeKey),
            promotion: request.permit && rows.promotion(request.permit.eventId),
          },
          request,
        );
        writer.apply(change);
        return result;
      }),
    changeStatus: (request) =>
      database.write(() => {
        const entry = rows.entry(request.id);
        const holder = entry?.mergeKey === undefined ? undefined : rows.holder(entry.mergeKey);
        writer.apply(planStatus({ entry, holder }, request));
        return required(rows.entry(request.id));
      }),
    async decay(request) {
      const stale = await database.write(() => {
        const ids = statement(EXPIRED)
          .all(request.asOf)
          .map(({ entry }) => String(entry));
        writer.apply(planDecay(rows.entries(ids), request));
        return ids;
      });
      await catchUp();
      return stale;
    },
    async recordRetrieval(request) {
      await database.write(() => {
        const known = rows.entries(request.returnedIds).map(({ id }) => id);
        writer.record(planRetrieval(new Set(known), request), request.returnedIds);
        writer.countRetrieval(request);
      });
      await catchUp();
    },
    entries: (ids, at) => database.read(() => rows.entries(ids, at)),
    feedback: (ids) => database.read(() => rows.feedback(ids)),
    list: (filter) => database.read(() => rows.list(filter)),
    versions: (id) => database.read(() => statement(VERSIONS).all(id).map(versionFrom)),
    events: (entryId) =>
      database.read(() =>
        (entryId === undefined ? statement(ALL_EVENTS).all() : statement(EVENTS).all(entryId)).map(eventFrom),
      ),
    promotion: (eventId) => database.read(() => rows.promotion(eventId)),
  };
}

const EXPIRED = `
  select entry from version
  where until is null and status = 'active' and expires <= ? order by entry`;
const VERSIONS = `
  select ${VERSION_COLUMNS} from version v join entry e on e.id = v.entry where v.entry = ? order by v.number`;
const ALL_EVENTS = 'select * from event order by position';
const EVENTS = `
  select event.* from event_entry join event on event.position = event_entry.event
  where event_entry.entry = ? order by event.position`;

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A row that was just written is not there.');
  return value;
}
