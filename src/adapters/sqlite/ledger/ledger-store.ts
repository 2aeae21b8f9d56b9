import type { OperatorKey } from '../../../domain/ledger/entry/operator-key.ts';
import { planAdd } from '../../../domain/ledger/plans/plan-add.ts';
import { planPromotion, planRevocation } from '../../../domain/ledger/plans/plan-promotion.ts';
import { planRetrieval } from '../../../domain/ledger/plans/plan-retrieval.ts';
import { planDecay, planStatus } from '../../../domain/ledger/plans/plan-status.ts';
import { planVerdicts } from '../../../domain/ledger/plans/plan-verdicts.ts';
import type { LedgerStore } from '../../../domain/ledger/store.ts';
import type { Database } from '../seam/database.ts';
import { importPromotions } from './import-promotions.ts';
import { ledgerCitations } from './ledger-citations.ts';
import { histories } from './ledger-histories.ts';
import { type LedgerOutlets, writeOutstandingLines } from './ledger-outbox.ts';
import { ledgerReader } from './ledger-reader.ts';
import { eventFrom, VERSION_COLUMNS, versionFrom } from './ledger-rows.ts';
import { type SealedDatabase, sealedDatabase } from './ledger-seal.ts';
import { surveys } from './ledger-surveys.ts';
import { ledgerWriter } from './ledger-writer.ts';

/** Writes lines into the ledger files that an earlier process left out. */
export async function openLedgerStore(
  database: Database,
  outlets: LedgerOutlets & { readonly key: OperatorKey },
): Promise<LedgerStore> {
  await writeOutstandingLines(database, outlets);
  await importPromotions(database, outlets);
  return sqliteLedgerStore(database, outlets);
}

export function sqliteLedgerStore(
  plain: Database,
  outlets: LedgerOutlets & { readonly key: OperatorKey },
): LedgerStore {
  const database = sealedDatabase(plain, outlets.key);
  const { statement } = database;
  const rows = ledgerReader(database);
  const writer = ledgerWriter(database);
  const citations = ledgerCitations(database);
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
        writer.apply(planStatus({ entry, holder, promotion: rows.promotionBehind(entry) }, request));
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
    recordVerdicts: (request) =>
      database.write(() => {
        const fixed = request.checked.filter(({ isFixed }) => isFixed).map(({ id }) => id);
        writer.apply(planVerdicts(rows.entries([...new Set(fixed)]), request));
        citations.keepVerdicts(request);
      }),
    ...promotions(database, catchUp),
    ...lazyClaims(database),
    ...pastReads(database),
    entries: (ids, at) => database.read(() => rows.entries(ids, at)),
    list: (filter) => database.read(() => rows.list(filter)),
    ...surveys(database),
    ...histories(database),
    promotions: (eventIds) =>
      database.read(() => eventIds.flatMap((eventId) => rows.promotion(eventId) ?? [])),
  };
}

/** Few commands read claims, and each loads what it uses. */
function lazyClaims(database: SealedDatabase): Pick<LedgerStore, 'claims' | 'stateClaim'> {
  const load = async () => (await import('./ledger-claims.ts')).claims(database);
  return {
    claims: async (at, ids) => (await load()).claims(at, ids),
    stateClaim: async (request) => (await load()).stateClaim(request),
  };
}

function pastReads(
  database: SealedDatabase,
): Pick<LedgerStore, 'idsWith' | 'hasEvent' | 'citations' | 'versions' | 'events'> {
  const { statement, seal } = database;
  return {
    idsWith: (part, limit) =>
      database.read(() =>
        statement('select id from entry where instr(lower(id), lower(?)) > 0 order by id limit ?')
          .all(part, limit)
          .map(({ id }) => String(id)),
      ),
    hasEvent: (eventId) =>
      database.read(() => statement('select 1 from event where id = ?').get(eventId) !== undefined),
    citations: (id) => database.read(() => ledgerCitations(database).known(id)),
    versions: (id) =>
      database.read(() =>
        statement(VERSIONS)
          .all(id)
          .map((row) => seal.checkedVersion(versionFrom(row), row.mac)),
      ),
    events: (entryId) =>
      database.read(() =>
        (entryId === undefined ? statement(ALL_EVENTS).all() : statement(EVENTS).all(entryId)).map((row) =>
          seal.checkedEvent(eventFrom(row), row.mac),
        ),
      ),
  };
}

function promotions(
  database: SealedDatabase,
  catchUp: () => Promise<void>,
): Pick<LedgerStore, 'promote' | 'revoke'> {
  const rows = ledgerReader(database);
  const writer = ledgerWriter(database);
  return {
    async promote(request) {
      await database.write(() => {
        const target = request.targetId === undefined ? undefined : rows.entry(request.targetId);
        const holder = target?.mergeKey === undefined ? undefined : rows.holder(target.mergeKey);
        const { change, promotion } = planPromotion({ target, holder }, request);
        writer.putPromotion(promotion);
        writer.apply(change);
      });
      await catchUp();
    },
    async revoke(request) {
      const demoted = await database.write(() => {
        const promotion = rows.promotion(request.eventId);
        const entry = promotion?.consumedBy === undefined ? undefined : rows.entry(promotion.consumedBy);
        const change = planRevocation({ promotion, entry }, request);
        writer.apply(change);
        writer.changePromotion(request.eventId, { isRevoked: true });
        return change.versions.map(({ id }) => id);
      });
      await catchUp();
      return demoted;
    },
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
