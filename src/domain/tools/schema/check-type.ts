import { isJsonList, type Json, type JsonObject } from '../../../base/json.ts';
import { alternatives, describeValue, type Problem } from './problem.ts';
import type { Site } from './site.ts';

const TYPES: Readonly<Record<string, { readonly words: string; fits(value: Json): boolean }>> = {
  array: { words: 'a list', fits: isJsonList },
  boolean: { words: 'true or false', fits: (value) => typeof value === 'boolean' },
  integer: { words: 'a whole number', fits: (value) => Number.isInteger(value) },
  null: { words: 'null', fits: (value) => value === null },
  number: { words: 'a number', fits: (value) => typeof value === 'number' },
  object: {
    words: 'an object',
    fits: (value) => typeof value === 'object' && value !== null && !isJsonList(value),
  },
  string: { words: 'a text', fits: (value) => typeof value === 'string' },
};

export const TYPE_NAMES: readonly string[] = Object.keys(TYPES);

/** The types a schema names; empty when it allows any, or names one that nobody knows. */
export function typesOf(schema: JsonObject): string[] {
  const { type } = schema;
  const names = isJsonList(type) ? type : [type];
  const known = names.filter((name) => typeof name === 'string' && Object.hasOwn(TYPES, name)).map(String);
  if (known.length < names.length) return [];
  return schema.nullable === true ? [...known, 'null'] : known;
}

export function checkType(site: Site): Problem[] {
  const types = typesOf(site.schema);
  if (types.length === 0 || types.some((type) => TYPES[type]?.fits(site.value))) return [];
  return [wrongType(site.path, types, site.value)];
}

export function wrongType(path: Problem['path'], types: readonly string[], value: Json): Problem {
  const unique = [...new Set(types)];
  const words = unique.map((type) => TYPES[type]?.words ?? type);
  return {
    path,
    message: `must be ${alternatives(words)}, not ${describeValue(value)}`,
    expectedTypes: unique,
  };
}
