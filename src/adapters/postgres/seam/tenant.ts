import type { PendingQuery, Row } from 'postgres';
import type { Tenant, Transaction } from './database.ts';

/** A part of a statement. */
export type Fragment = PendingQuery<Row[]>;

/** The row belongs to the tenant. `alias` is a name in the statement, never a value from outside. */
export function tenantTerm(sql: Transaction, { team, workspace }: Tenant, alias: string): Fragment {
  return sql`${sql(alias)}.team = ${team} and ${sql(alias)}.workspace = ${workspace}`;
}

/** The parts, joined by `and` or `or`. Nested by halves: the client descends once for each part of a chain. */
export function joined(sql: Transaction, parts: readonly Fragment[], word: 'and' | 'or'): Fragment {
  const [first] = parts;
  if (!first) return word === 'and' ? sql`true` : sql`false`;
  if (parts.length === 1) return first;
  const half = parts.length >> 1;
  const [left, right] = [joined(sql, parts.slice(0, half), word), joined(sql, parts.slice(half), word)];
  return word === 'and' ? sql`(${left} and ${right})` : sql`(${left} or ${right})`;
}
