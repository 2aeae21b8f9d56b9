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
  return joined(conditions, 'and');
}

function joined(conditions: readonly Condition[], word: 'and' | 'or'): Condition {
  const values = conditions.flatMap((condition) => condition.values);
  return { sql: balanced(conditions, word) || (word === 'and' ? 'true' : 'false'), values };
}

/** SQLite parses `a and b and c` as a tree with a level for each part, and refuses more than a thousand levels. */
function balanced(conditions: readonly Condition[], word: 'and' | 'or'): string {
  if (conditions.length < 2) return conditions[0]?.sql ?? '';
  const half = conditions.length >> 1;
  return `(${balanced(conditions.slice(0, half), word)}) ${word} (${balanced(conditions.slice(half), word)})`;
}

function pathCondition(paths: readonly string[]): Condition {
  const files = paths.filter((path) => !path.endsWith('/'));
  const directories = paths.filter((path) => path.endsWith('/'));
  const conditions = [
    ...(files.length > 0 ? [{ sql: IS_FILE, values: [JSON.stringify(files)] }] : []),
    ...(directories.length > 0
      ? [{ sql: IS_BELOW, values: [JSON.stringify(directories.map(rangeOf))] }]
      : []),
  ];
  return joined(conditions, 'or');
}

const IS_FILE = 'path in (select value from json_each(?))';

/** Looks into the index for each range, since `cross join` makes that the inner loop. */
const IS_BELOW = `number in (
  select below.number from json_each(?) as range cross join search_item as below
    on below.path >= range.value ->> 0 and below.path < range.value ->> 1)`;

/** A range instead of a pattern: the index serves it, and no character of a path is special. */
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
