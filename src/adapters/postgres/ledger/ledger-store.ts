import { planAdd } from '../../../domain/ledger/plans/plan-add.ts';
import { planPromotion, planRevocation } from '../../../domain/ledger/plans/plan-promotion.ts';
import { planRetrieval } from '../../../domain/ledger/plans/plan-retrieval.ts';
import { planDecay, planStatus } from '../../../domain/ledger/plans/plan-status.ts';
import { planVerdicts } from '../../../domain/ledger/plans/plan-verdicts.ts';
import type { LedgerReader, LedgerStore } from '../../../domain/ledger/store.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { ledgerCitations } from './ledger-citations.ts';
import { claims, stateClaim } from './ledger-claims.ts';
import { histories } from './ledger-histories.ts';
import { type LedgerReading, ledgerReader } from './ledger-reader.ts';
import { eventFrom } from './ledger-rows.ts';
import { surveys } from './ledger-surveys.ts';
import { type LedgerWriting, ledgerWriter } from './ledger-writer.ts';

/** The ledger of one workspace of a team. It has no ledger files: the events are in the database alone. */
export function postgresLedgerStore(database: Database, tenant: Tenant): LedgerStore {
  const changing: Changing = (work) =>
    database.write(async (sql) => {
      const writer = await ledgerWriter(sql, tenant);
      const result = await work({ sql, rows: ledgerReader(sql, tenant), writer });
      await writer.finish();
      return result;
    });

  return {
    add: (request) =>
      changing(async ({ rows, writer }) => {
        const { change, result } = planAdd(
          {
            sameId: await rows.entry(request.id),
            holder: await rows.holder(request.mergeKey),
            promotion: request.permit && (await rows.promotions([request.permit.eventId]))[0],
          },
          request,
        );
        await writer.apply(change);
        return result;
      }),
    changeStatus: (request) =>
      changing(async ({ rows, writer }) => {
        const entry = await rows.entry(request.id);
        const holder = await rows.holder(entry?.mergeKey);
        await writer.apply(
          planStatus({ entry, holder, promotion: await rows.promotionBehind(entry) }, request),
        );
        return required(await rows.entry(request.id));
      }),
    decay: (request) =>
      changing(async ({ sql, rows, writer }) => {
        const expired = await sql`
          select v.entry from ken.version v where ${tenantTerm(sql, tenant, 'v')}
            and v.until is null and v.status = 'active' and v.expires <= ${request.asOf} order by v.entry`;
        const ids = expired.map(({ entry }) => String(entry));
        await writer.apply(planDecay(await rows.entries(ids), request));
        return ids;
      }),
    recordRetrieval: (request) =>
      changing(async ({ rows, writer }) => {
        const known = (await rows.entries(request.returnedIds)).map(({ id }) => id);
        await writer.record(planRetrieval(new Set(known), request), request.returnedIds);
        await writer.countRetrieval(request);
      }),
    recordVerdicts: (request) =>
      changing(async ({ sql, rows, writer }) => {
        const fixed = request.checked.filter(({ isFixed }) => isFixed).map(({ id }) => id);
        await writer.apply(planVerdicts(await rows.entries([...new Set(fixed)]), request));
        await ledgerCitations(sql, tenant).keepVerdicts(request);
      }),
    stateClaim: (request) => changing(({ sql, writer }) => stateClaim(sql, tenant, writer, request)),
    ...claims(database, tenant),
    ...promotions(changing),
    ...reads(database, tenant),
    ...surveys(database, tenant),
    ...histories(database, tenant),
  };
}

type Changing = <T>(work: (parts: Parts) => Promise<T>) => Promise<T>;

function promotions(changing: Changing): Pick<LedgerStore, 'promote' | 'revoke'> {
  return {
    promote: (request) =>
      changing(async ({ rows, writer }) => {
        const target = request.targetId === undefined ? undefined : await rows.entry(request.targetId);
        const holder = await rows.holder(target?.mergeKey);
        const { change, promotion } = planPromotion({ target, holder }, request);
        await writer.putPromotion(promotion);
        await writer.apply(change);
      }),
    revoke: (request) =>
      changing(async ({ rows, writer }) => {
        const [promotion] = await rows.promotions([request.eventId]);
        const entry =
          promotion?.consumedBy === undefined ? undefined : await rows.entry(promotion.consumedBy);
        const change = planRevocation({ promotion, entry }, request);
        await writer.apply(change);
        await writer.revokePromotion(request.eventId);
        return change.versions.map(({ id }) => id);
      }),
  };
}

interface Parts {
  readonly sql: Transaction;
  readonly rows: LedgerReading;
  readonly writer: LedgerWriting;
}

type PlainReads = Omit<LedgerReader, 'current' | 'revision' | 'count' | 'histories' | 'claims'>;

function reads({ read }: Database, tenant: Tenant): PlainReads {
  const reading = <T>(work: (rows: LedgerReading, sql: Transaction) => Promise<T>): Promise<T> =>
    read((sql) => work(ledgerReader(sql, tenant), sql));
  return {
    entries: (ids, at) => reading((rows) => rows.entries(ids, at)),
    list: (filter) => reading((rows) => rows.list(filter)),
    versions: (id) => reading((rows) => rows.versions([id])),
    promotions: (eventIds) => reading((rows) => rows.promotions(eventIds)),
    citations: (id) => read((sql) => ledgerCitations(sql, tenant).known(id)),
    events: (entryId) =>
      read(async (sql) => {
        const ours = tenantTerm(sql, tenant, 'e');
        const rows =
          entryId === undefined
            ? await sql`select e.* from ken.event e where ${ours} order by e.position`
            : await sql`
              select e.* from ken.event_entry a join ken.event e on ${ours} and e.position = a.event
              where ${tenantTerm(sql, tenant, 'a')} and a.entry = ${entryId} order by e.position`;
        return rows.map(eventFrom);
      }),
    idsWith: (part, limit) =>
      read(async (sql) => {
        const rows = await sql`
          select e.id from ken.entry e
          where ${tenantTerm(sql, tenant, 'e')} and strpos(lower(e.id), lower(${part})) > 0
          order by e.id collate "C" limit ${limit}`;
        return rows.map(({ id }) => String(id));
      }),
    hasEvent: (eventId) =>
      read(async (sql) => {
        const rows = await sql`
          select 1 from ken.event e where ${tenantTerm(sql, tenant, 'e')} and e.id = ${eventId}`;
        return rows.length > 0;
      }),
  };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A row that was just written is not there.');
  return value;
}
