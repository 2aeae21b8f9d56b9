import type { ClaimSides, StatedClaim } from '../../../domain/ledger/entry/stated-claim.ts';
import { claimKey, claimOfKey } from '../../../domain/ledger/entry/stated-claim.ts';
import { type ClaimRequest, type ClaimResult, planClaim } from '../../../domain/ledger/plans/plan-claim.ts';
import type { LedgerStore } from '../../../domain/ledger/store.ts';
import type { SealedDatabase } from './ledger-seal.ts';
import { ledgerWriter } from './ledger-writer.ts';

type Row = Record<string, unknown>;

export function claims(database: SealedDatabase): Pick<LedgerStore, 'claims' | 'stateClaim'> {
  const { statement, read, write } = database;
  const rows = claimRows(database);
  return {
    claims: (at, ids) =>
      read(() =>
        statement(sidesSql(ids !== undefined))
          .all(ids === undefined ? { at } : { at, ids: JSON.stringify(ids) })
          .map(rows.sides),
      ),
    stateClaim: (request) => write(() => rows.state(request)),
  };
}

/** Inside a transaction. */
export function claimRows(database: SealedDatabase) {
  const { statement, seal } = database;
  const claimFrom = ({ id, text, stated, stated_by, mac }: Row): StatedClaim =>
    seal.checkedClaim(
      { id: String(id), text: String(text), statedAt: Number(stated), statedBy: String(stated_by) },
      mac,
    );
  const claim = (id: string): StatedClaim | undefined => {
    const row = statement('select * from claim where id = ?').get(id);
    return row && claimFrom(row);
  };
  const put = ({ id, text, statedAt, statedBy, ...rest }: StatedClaim) => {
    const mac = seal.claim({ id, text, statedAt, statedBy, ...rest });
    statement('insert or replace into claim (id, text, stated, stated_by, mac) values (?, ?, ?, ?, ?)').run(
      ...[id, text, statedAt, statedBy, mac],
    );
  };
  return {
    state(request: ClaimRequest): ClaimResult {
      const { result, change } = planClaim(claim(request.id), request);
      if (!change) return result;
      put(change.claim);
      ledgerWriter(database).record(change.event, [claimKey(request.id)]);
      return result;
    },
    sides: (row: Row): ClaimSides => ({
      id: String(row.id),
      stated: row.text === null ? undefined : claimFrom(row),
      supports: Number(row.supports),
      contradicts: Number(row.contradicts),
      mentions: Number(row.mentions),
    }),
    /** Brings the claims that others have named to what the events say. */
    writeFolded(folded: ReadonlyMap<string, StatedClaim>, named: ReadonlySet<string>): void {
      for (const key of named) {
        const id = claimOfKey(key);
        if (id === undefined) continue;
        const [known, next] = [claim(id), folded.get(key)];
        if (next === undefined) {
          if (known?.isForeign) statement('delete from claim where id = ?').run(id);
        } else if (!known || !isSame(known, next)) put(next);
      }
    },
  };
}

function isSame(one: StatedClaim, other: StatedClaim): boolean {
  const told = ({ text, statedAt, statedBy, isForeign }: StatedClaim) => [
    text,
    statedAt,
    statedBy,
    isForeign,
  ];
  return JSON.stringify(told(one)) === JSON.stringify(told(other));
}

const sidesSql = (isNamed: boolean) => `
  with side as (
    select claim_id as id, sum(claim_stance is 'supports') as supports,
      sum(claim_stance is 'contradicts') as contradicts, sum(claim_stance is null) as mentions
    from version
    where until is null and claim_id is not null and status = 'active' and (expires is null or expires > :at)
      ${isNamed ? 'and claim_id in (select value from json_each(:ids))' : ''}
    group by claim_id
  )
  select known.id, claim.text, claim.stated, claim.stated_by, claim.mac, ifnull(side.supports, 0) as supports,
    ifnull(side.contradicts, 0) as contradicts, ifnull(side.mentions, 0) as mentions
  from (select id from claim union select id from side) known
  left join claim on claim.id = known.id left join side on side.id = known.id
  ${isNamed ? 'where known.id in (select value from json_each(:ids))' : ''}
  order by known.id`;
