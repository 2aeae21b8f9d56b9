import type { PendingQuery, Row } from 'postgres';
import type { Requirement } from '../../../domain/labels/parse-selector.ts';
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

/** The requirement holds for `value`, which is the value of the label or null. */
export function labelTerm(sql: Transaction, value: Fragment, requirement: Requirement): Fragment {
  switch (requirement.kind) {
    case 'present':
      return sql`${value} is not null`;
    case 'absent':
      return sql`${value} is null`;
    case 'equals':
      return sql`${value} = ${requirement.value}`;
    case 'differs':
      return sql`${value} is distinct from ${requirement.value}`;
    case 'in':
      return sql`${value} in ${sql([...requirement.values])}`;
    case 'not-in':
      return sql`(${value} is null or ${value} not in ${sql([...requirement.values])})`;
  }
}
