/** Which items pass a filter, as a condition on `search_item`. */

import type { SQLInputValue } from 'node:sqlite';
import type { Requirement } from '../../domain/labels/selector.ts';
import type { ItemFilter } from '../../domain/search/index-store.ts';

export interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export function filterCondition({ paths, labels = [], ids }: ItemFilter): Condition {
  const conditions = labels.map(labelCondition);
  if (paths) conditions.push(anyOf(paths.map(pathCondition)));
  if (ids) conditions.push(idCondition(ids));
  return allOf(conditions);
}

function allOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' and ') || 'true',
    values: valuesOf(conditions),
  };
}

function anyOf(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' or ') || 'false',
    values: valuesOf(conditions),
  };
}

function valuesOf(conditions: readonly Condition[]): SQLInputValue[] {
  return conditions.flatMap(({ values }) => values);
}

/** A range instead of a pattern: the index serves it, and nothing in a path is special. */
function pathCondition(path: string): Condition {
  if (!path.endsWith('/')) return { sql: 'path = ?', values: [path] };
  return { sql: 'path >= ? and path < ?', values: [path, `${path.slice(0, -1)}0`] };
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
