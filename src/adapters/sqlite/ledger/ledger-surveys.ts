import type { LedgerStore } from '../../../domain/ledger/store.ts';
import type { Database } from '../seam/database.ts';

export function surveys({ read, statement }: Database): Pick<LedgerStore, 'current' | 'revision' | 'count'> {
  return {
    current: (at, { only, page: { after, limit } = ALL } = {}) =>
      read(() =>
        statement(currentSql(only))
          .all(at, after, limit)
          .map(({ entry, hash }) => ({ id: String(entry), hash: String(hash) })),
      ),
    revision: (at) =>
      read(() => {
        const last = statement('select id from event order by position desc limit 1').get()?.id;
        return last === undefined ? '' : `${last} ${number(statement(EXPIRED), at)}`;
      }),
    count: (at) =>
      read(() => ({
        active: number(statement(ACTIVE)),
        expired: number(statement(EXPIRED), at),
        doubtful: number(statement(DOUBTFUL)),
        unverified: number(statement(UNVERIFIED)),
      })),
  };
}

function number(counting: ReturnType<Database['statement']>, ...values: number[]): number {
  return Number(counting.get(...values)?.n);
}

const IS_ACTIVE = "until is null and status = 'active'";
// Lengths are known without reading the texts; they distinguish versions that two databases number alike.
const currentSql = (only: 'rules' | undefined) => `
  select entry, number || '.' || position || '.' || since || '.' || octet_length(title) || '.' || octet_length(text)
    as hash
  from version where ${IS_ACTIVE} and (expires is null or expires > ?)
    ${only === undefined ? '' : "and entry >= 'procedural/' and entry < 'procedural0'"} and entry > ?
  order by entry limit ?`;
const ALL = { after: '', limit: -1 };
const ACTIVE = `select count(*) as n from version where ${IS_ACTIVE}`;
const EXPIRED = `select count(*) as n from version where ${IS_ACTIVE} and expires <= ?`;
const citing = (condition: string) => `
  select count(*) as n from (select distinct entry from citation where ${condition}) c
  cross join version v on v.entry = c.entry where ${IS_ACTIVE}`;
// A count reads no marks, which would take seconds; where it matters, each verdict is checked.
const DOUBTFUL = citing("verdict in ('moved', 'changed', 'missing') and verdict_mac is not null");
const UNVERIFIED = citing('verdict_mac is null');
