/** One text for one JSON value, however it was put together: what digests are taken of. */

import { Fault } from './fault.ts';
import type { Json, JsonObject } from './json.ts';

/** No spaces, keys ordered by UTF-16 code units, numbers as JavaScript writes them, lone surrogates escaped. */
export function canonicalJson(value: Json): string {
  return written(value, 0);
}

const MAX_DEPTH = 200;

function written(value: Json, depth: number): string {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map((item) => written(item, depth + 1)).join(',')}]`;
  return `{${members(value, depth + 1).join(',')}}`;
}

function members(value: JsonObject, depth: number): string[] {
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${written(item, depth)}`);
}

function isList(value: readonly Json[] | JsonObject): value is readonly Json[] {
  return Array.isArray(value);
}

function tooDeep(): Fault {
  return new Fault('json/too-deep', `JSON is nested more than ${MAX_DEPTH} levels deep.`, {
    hint: 'Ask for something simpler.',
  });
}
