import { withImported } from '../../../domain/ledger/entry/citations.ts';
import type { EntryVersion } from '../../../domain/ledger/entry/entry.ts';
import { type EntryHistory, historyOf } from '../../../domain/ledger/exchange/exported-entry.ts';
import {
  type ImportEnd,
  type ImportSurroundings,
  importPlanner,
} from '../../../domain/ledger/plans/plan-import.ts';
import type { LedgerStore } from '../../../domain/ledger/store.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import { ledgerCitations } from './ledger-citations.ts';
import { ledgerReader } from './ledger-reader.ts';
import { citationFrom } from './ledger-rows.ts';
import { ledgerWriter } from './ledger-writer.ts';

/** Most entries in memory at once. */
const BATCH = 500;

export function histories(
  { read, write }: Database,
  tenant: Tenant,
): Pick<LedgerStore, 'histories' | 'importHistories'> {
  return {
    histories: (receive) =>
      read(async (sql) => {
        for (let last = ''; ; ) {
          const rows = await sql`
            select e.id from ken.entry e where ${tenantTerm(sql, tenant, 'e')} and e.id > ${last}
            order by e.id limit ${BATCH}`;
          const ids = rows.map(({ id }) => String(id));
          for (const history of await historiesOf(sql, tenant, ids)) receive(history);
          if (ids.length < BATCH) return;
          last = ids.at(-1) ?? '';
        }
      }),
    importHistories: (request) =>
      (request.dryRun ? read : write)(async (sql) => {
        const plan = importPlanner(request);
        const writer = request.dryRun ? undefined : await ledgerWriter(sql, tenant);
        const citations = ledgerCitations(sql, tenant);
        const ends: ImportEnd[] = [];
        for (const batch of request.batches) {
          const planned = plan(await surroundings(sql, tenant, batch), batch);
          ends.push(...planned.ends);
          if (!writer) continue;
          for (const change of planned.changes) await writer.apply(change);
          for (const [id, given] of planned.citations)
            await citations.replace(id, withImported(await citations.known(id), given));
          for (const [id, counted] of planned.feedback)
            if (counted.retrieved > 0) await writer.putFeedback(id, counted);
        }
        await writer?.finish();
        return ends;
      }),
  };
}

async function historiesOf(
  sql: Transaction,
  tenant: Tenant,
  ids: readonly string[],
): Promise<readonly EntryHistory[]> {
  if (ids.length === 0) return [];
  const reader = ledgerReader(sql, tenant);
  const versions = byEntry(await reader.versions(ids));
  const feedback = await reader.feedback(ids);
  const cited = await sql`
    select c.* from jsonb_array_elements_text(${sql.json([...ids])}) wanted (id)
    join ken.citation c on ${tenantTerm(sql, tenant, 'c')} and c.entry = wanted.id
    order by c.entry, c.place, c.number`;
  const citations = Map.groupBy(cited, ({ entry }) => String(entry));
  return ids.map((id) =>
    historyOf(versions.get(id) ?? [], (citations.get(id) ?? []).map(citationFrom), feedback(id)),
  );
}

async function surroundings(
  sql: Transaction,
  tenant: Tenant,
  given: readonly EntryHistory[],
): Promise<ImportSurroundings> {
  const firsts = given.map(({ versions: [first] }) => first);
  const keys = firsts.flatMap(({ mergeKey }) => mergeKey ?? []);
  const links = firsts.flatMap(({ supersedes }) => supersedes ?? []);
  const holders = await sql`
    select v.merge_key, v.entry from jsonb_array_elements_text(${sql.json([...new Set(keys)])}) wanted (key)
    join ken.version v on ${tenantTerm(sql, tenant, 'v')} and v.merge_key = wanted.key
      and v.until is null and v.status = 'active'`;
  const there = await sql`
    select e.id from jsonb_array_elements_text(${sql.json([...new Set(links)])}) wanted (id)
    join ken.entry e on ${tenantTerm(sql, tenant, 'e')} and e.id = wanted.id`;
  return {
    versions: byEntry(await ledgerReader(sql, tenant).versions(firsts.map(({ id }) => id))),
    holders: new Map(holders.map((row) => [String(row.merge_key), String(row.entry)])),
    superseded: new Set(there.map(({ id }) => String(id))),
  };
}

function byEntry(versions: readonly EntryVersion[]): Map<string, EntryVersion[]> {
  return Map.groupBy(versions, ({ id }) => id);
}
