/** Which items pass a filter, as a condition on `search_item`. */

import type { SQLInputValue } from 'node:sqlite';
import type { Requirement } from '../../../domain/labels/parse-selector.ts';
import type { ItemFilter } from '../../../domain/search/index/index-store.ts';

export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export function filterCondition({ paths, labels = [], ids }: ItemFilter): Condition {
  const conditions = labels.map(labelCondition);
  if (paths) conditions.push(pathCondition(paths));
  if (ids) conditions.push(idCondition(ids));
  return allOf(conditions);
}

function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: balanced(conditions, 'and') || 'true',
    values: valuesOf(conditions),
  };
}

function anyOf(conditions: readonly Condition[]): Condition {
  return {
    sql: balanced(conditions, 'or') || 'false',
    values: valuesOf(conditions),
  };
}

/** SQLite takes `a and b and c` for a tree of as many levels as it has parts, and refuses more than a thousand. */
function balanced(conditions: readonly Condition[], word: 'and' | 'or'): string {
  if (conditions.length < 2) return conditions[0]?.sql ?? '';
  const half = conditions.length >> 1;
  return `(${balanced(conditions.slice(0, half), word)}) ${word} (${balanced(conditions.slice(half), word)})`;
}

function valuesOf(conditions: readonly Condition[]): SQLInputValue[] {
  return conditions.flatMap(({ values }) => values);
}

function pathCondition(paths: readonly string[]): Condition {
  const files = paths.filter((path) => !path.endsWith('/'));
  const directories = paths.filter((path) => path.endsWith('/'));
  return anyOf([
    ...(files.length > 0 ? [{ sql: IS_FILE, values: [JSON.stringify(files)] }] : []),
    ...(directories.length > 0
      ? [{ sql: IS_BELOW, values: [JSON.stringify(directories.map(rangeOf))] }]
      : []),
  ]);
}

const IS_FILE = 'path in (select value from json_each(?))';

/** For each range a look into the index, which `cross join` makes the inner loop. */
const IS_BELOW = `number in (
  select below.number from json_each(?) as range cross join search_item as below
    on below.path >= range.value ->> 0 and below.path < range.value ->> 1)`;

/** Instead of a pattern: the index serves it, and nothing in a path is special. */
function rangeOf(directory: string): readonly [string, string] {
  return [directory, `${directory.slice(0, -1)}0`];
}

function idCondition(ids: NonNullable<ItemFilter['ids']>): Condition {
  return {
    sql: "(source, id) in (select value ->> 'source', value ->> 'id' from json_each(?))",
    values: [JSON.stringify(ids.map(({ source, id }) => ({ source, id })))],
  };
}

function labelCondition(requirement: Requirement): Condition {
  const { key } = requirement;
  switch (requirement.kind) {
    case 'present':
      return hasLabel('key = ?', [key]);
    case 'absent':
      return not(hasLabel('key = ?', [key]));
    case 'equals':
      return hasLabel('key = ? and value = ?', [key, requirement.value]);
    case 'differs':
      return not(hasLabel('key = ? and value = ?', [key, requirement.value]));
    case 'in':
      return hasLabel(IS_ONE_OF, [key, JSON.stringify(requirement.values)]);
    case 'not-in':
      return not(hasLabel(IS_ONE_OF, [key, JSON.stringify(requirement.values)]));
  }
}

const IS_ONE_OF = 'key = ? and value in (select value from json_each(?))';

function hasLabel(condition: string, values: readonly SQLInputValue[]): Condition {
  return { sql: `number in (select item from search_label where ${condition})`, values };
}

function not({ sql, values }: Condition): Condition {
  return { sql: `not (${sql})`, values };
}
