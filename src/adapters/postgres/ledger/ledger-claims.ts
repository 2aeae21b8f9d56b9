import type { Row } from 'postgres';
import { type ClaimSides, claimKey, type StatedClaim } from '../../../domain/ledger/entry/stated-claim.ts';
import { type ClaimRequest, type ClaimResult, planClaim } from '../../../domain/ledger/plans/plan-claim.ts';
import type { LedgerReader } from '../../../domain/ledger/store.ts';
import type { Database, Tenant, Transaction } from '../seam/database.ts';
import { tenantTerm } from '../seam/terms.ts';
import type { LedgerWriting } from './ledger-writer.ts';

export function claims({ read }: Database, tenant: Tenant): Pick<LedgerReader, 'claims'> {
  return {
    claims: (at, ids) =>
      read(async (sql) => {
        if (ids?.length === 0) return [];
        const among = (column: 'v.claim_id' | 'k.id') =>
          ids === undefined ? sql`true` : sql`${sql(column)} in ${sql([...ids])}`;
        const rows = await sql`
          with side as (
            select v.claim_id as id, count(*) filter (where v.claim_stance = 'supports') as supports,
              count(*) filter (where v.claim_stance = 'contradicts') as contradicts,
              count(*) filter (where v.claim_stance is null) as mentions
            from ken.version v
            where ${tenantTerm(sql, tenant, 'v')} and v.until is null and v.claim_id is not null
              and v.status = 'active' and (v.expires is null or v.expires > ${at}) and ${among('v.claim_id')}
            group by v.claim_id
          ), claim as (select c.* from ken.claim c where ${tenantTerm(sql, tenant, 'c')})
          select k.id, claim.text, claim.stated, claim.stated_by, side.supports, side.contradicts, side.mentions
          from (select id from claim union select id from side) k
          left join claim on claim.id = k.id left join side on side.id = k.id
          where ${among('k.id')} order by k.id collate "C"`;
        return rows.map(sidesFrom);
      }),
  };
}

function sidesFrom(row: Row): ClaimSides {
  return {
    id: String(row.id),
    stated: row.text === null ? undefined : claimFrom(row),
    supports: Number(row.supports ?? 0),
    contradicts: Number(row.contradicts ?? 0),
    mentions: Number(row.mentions ?? 0),
  };
}

function claimFrom({ id, text, stated, stated_by }: Row): StatedClaim {
  return { id: String(id), text: String(text), statedAt: Number(stated), statedBy: String(stated_by) };
}

export async function stateClaim(
  sql: Transaction,
  tenant: Tenant,
  writer: LedgerWriting,
  request: ClaimRequest,
): Promise<ClaimResult> {
  const [row] = await sql`
    select c.* from ken.claim c where ${tenantTerm(sql, tenant, 'c')} and c.id = ${request.id}`;
  const { result, change } = planClaim(row && claimFrom(row), request);
  if (!change) return result;
  const { id, text, statedAt, statedBy } = change.claim;
  await sql`
    insert into ken.claim ${sql({ ...tenant, id, text, stated: statedAt, stated_by: statedBy })}
    on conflict (team, workspace, id) do update set
      text = excluded.text, stated = excluded.stated, stated_by = excluded.stated_by`;
  await writer.record(change.event, [claimKey(id)]);
  return result;
}
