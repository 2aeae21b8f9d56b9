import type { EntryFilter } from '../../../domain/ledger/store.ts';
import type { Tenant, Transaction } from '../seam/database.ts';
import { type Fragment, joined, labelTerm, tenantTerm } from '../seam/terms.ts';

/** The version in force at a time, or the latest one. */
export function momentTerm(sql: Transaction, at: number | undefined): Fragment {
  return at === undefined
    ? sql`v.until is null`
    : sql`v.since <= ${at} and (v.until is null or v.until > ${at})`;
}

/** Conditions on `ken.version v`, joined by `and`. */
export function conditionsOf(sql: Transaction, tenant: Tenant, filter: EntryFilter): Fragment {
  const {
    after,
    unexpiredAt,
    claimId,
    mergeKey,
    createdFrom,
    createdTo,
    cites,
    statuses,
    tags = [],
    labels = [],
  } = filter;
  const terms = [tenantTerm(sql, tenant, 'v'), momentTerm(sql, filter.at)];
  if (unexpiredAt !== undefined) terms.push(sql`(v.expires is null or v.expires > ${unexpiredAt})`);
  if (claimId !== undefined) terms.push(sql`v.claim_id = ${claimId}`);
  if (mergeKey !== undefined) terms.push(sql`v.merge_key = ${mergeKey}`);
  if (cites !== undefined)
    terms.push(sql`exists (
      select 1 from ken.citation c where ${tenantTerm(sql, tenant, 'c')} and c.entry = v.entry
        and c.until_number is null and starts_with(c.provenance, ${cites}))`);
  if (createdFrom !== undefined) terms.push(sql`v.created >= ${createdFrom}`);
  if (createdTo !== undefined) terms.push(sql`v.created <= ${createdTo}`);
  if (after !== undefined) {
    const { createdAt, id } = after;
    terms.push(sql`v.created <= ${createdAt} and (v.created < ${createdAt} or v.entry > ${id})`);
  }
  if (statuses !== undefined && statuses.length > 0) terms.push(sql`v.status in ${sql([...statuses])}`);
  for (const tag of tags) terms.push(sql`v.tags @> ${sql.json([tag])}`);
  for (const requirement of labels) terms.push(labelTerm(sql, labelOf(sql, requirement.key), requirement));
  return joined(sql, terms, 'and');
}

/** The value of a label of `ken.version v`; null without it. */
function labelOf(sql: Transaction, key: string): Fragment {
  return sql`(
    select label ->> 1 from jsonb_array_elements(v.labels) label where label ->> 0 = ${key})`;
}
