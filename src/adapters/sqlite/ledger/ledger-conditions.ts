import type { SQLInputValue } from 'node:sqlite';
import type { Requirement } from '../../../domain/labels/parse-selector.ts';
import type { EntryFilter } from '../../../domain/ledger/store.ts';

export interface Conditions {
  /** Joined by `and`; never empty. */
  readonly sql: string;
  readonly values: Record<string, SQLInputValue>;
}

/** The version in force at a time, or the latest one. */
export function momentTerm(at: number | undefined): string {
  return at === undefined ? 'v.until is null' : 'v.since <= :at and (v.until is null or v.until > :at)';
}

export function conditionsOf(filter: EntryFilter): Conditions {
  const values: Record<string, SQLInputValue> = {};
  const terms = [momentTerm(filter.at)];
  const add = (term: string, name: string, value: SQLInputValue | undefined) => {
    if (value === undefined) return;
    if (term !== '') terms.push(term);
    values[name] = value;
  };
  add('', 'at', filter.at);
  add('(v.expires is null or v.expires > :unexpired)', 'unexpired', filter.unexpiredAt);
  add('v.claim_id = :claim', 'claim', filter.claimId);
  add('v.merge_key = :key', 'key', filter.mergeKey);
  add(CITES, 'cites', filter.cites);
  add('v.created >= :from', 'from', filter.createdFrom);
  add('v.created <= :to', 'to', filter.createdTo);
  add(
    'v.created <= :lastCreated and (v.created < :lastCreated or v.entry > :lastId)',
    'lastId',
    filter.after?.id,
  );
  add('', 'lastCreated', filter.after?.createdAt);
  const [status, ...others] = filter.statuses ?? [];
  if (others.length === 0) add('v.status = :status', 'status', status);
  else
    add('v.status in (select value from json_each(:statuses))', 'statuses', JSON.stringify(filter.statuses));
  for (const [at, tag] of (filter.tags ?? []).entries()) {
    add(`exists (select 1 from json_each(v.tags) where value = :tag${at})`, `tag${at}`, tag);
  }
  for (const [at, requirement] of (filter.labels ?? []).entries()) {
    terms.push(labelTerm(requirement, at));
    Object.assign(values, labelValues(requirement, at));
  }
  return { sql: terms.join(' and '), values };
}

const CITES = `exists (select 1 from citation c
  where c.entry = v.entry and c.until_number is null and substr(c.provenance, 1, length(:cites)) = :cites)`;

function labelTerm({ kind }: Requirement, at: number): string {
  const value = `(select value from json_each(v.labels) where key = :label${at})`;
  switch (kind) {
    case 'present':
      return `${value} is not null`;
    case 'absent':
      return `${value} is null`;
    case 'equals':
      return `${value} = :value${at}`;
    case 'differs':
      return `${value} is not :value${at}`;
    case 'in':
      return `${value} in (select value from json_each(:value${at}))`;
    case 'not-in':
      return `(${value} is null or ${value} not in (select value from json_each(:value${at})))`;
  }
}

function labelValues(requirement: Requirement, at: number): Record<string, SQLInputValue> {
  const key = { [`label${at}`]: requirement.key };
  if ('value' in requirement) return { ...key, [`value${at}`]: requirement.value };
  if ('values' in requirement) return { ...key, [`value${at}`]: JSON.stringify(requirement.values) };
  return key;
}
