import type { LedgerStore } from '../../../domain/ledger/store.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';

export function surveys(
  { read }: Database,
  tenant: Tenant,
): Pick<LedgerStore, 'current' | 'revision' | 'count'> {
  return {
    current: (at, { only, page } = {}) =>
      read(async (sql) => {
        const rows = await sql`
          select v.entry, concat_ws('.', v.number, v.since, octet_length(v.title), octet_length(v.text)) as hash
          from ken.version v where ${activeTerm(sql, tenant)} and (v.expires is null or v.expires > ${at})
            and ${only === undefined ? sql`true` : sql`starts_with(v.entry, 'procedural/')`}
            and ${page === undefined ? sql`true` : sql`v.entry > ${page.after}`}
          order by v.entry limit ${page?.limit ?? null}`;
        return rows.map(({ entry, hash }) => ({ id: String(entry), hash: String(hash) }));
      }),
    revision: (at) =>
      read(async (sql) => {
        const [last] = await sql`
          select e.id from ken.event e where ${tenantTerm(sql, tenant, 'e')} order by e.position desc limit 1`;
        return last === undefined ? '' : `${last.id} ${await expired(sql, tenant, at)}`;
      }),
    count: (at) =>
      read(async (sql) => {
        const [counted] = await sql`
          select count(*) as active,
            count(*) filter (where c.is_doubtful) as doubtful, count(*) filter (where c.is_unverified) as unverified
          from ken.version v
          left join (
            select c.entry, bool_or(c.verdict in ('moved', 'changed', 'missing')) as is_doubtful,
              bool_or(c.verdict is null) as is_unverified
            from ken.citation c where ${tenantTerm(sql, tenant, 'c')} group by c.entry
          ) c on c.entry = v.entry
          where ${activeTerm(sql, tenant)}`;
        return {
          active: Number(counted?.active),
          expired: await expired(sql, tenant, at),
          doubtful: Number(counted?.doubtful),
          unverified: Number(counted?.unverified),
        };
      }),
  };
}

function activeTerm(sql: Transaction, tenant: Tenant) {
  return sql`${tenantTerm(sql, tenant, 'v')} and v.until is null and v.status = 'active'`;
}

async function expired(sql: Transaction, tenant: Tenant, at: number): Promise<number> {
  const [row] = await sql`
    select count(*) as n from ken.version v where ${activeTerm(sql, tenant)} and v.expires <= ${at}`;
  return Number(row?.n);
}
