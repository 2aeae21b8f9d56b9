import { Fault } from './fault.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** Undefined also for what is nested more than 200 levels deep: to walk it could take more stack than there is. */
export function parseJson(text: string): Json | undefined {
  const value = parseDeepJson(text);
  return value !== undefined && isDeeperThan(value, MAX_DEPTH) ? undefined : value;
}

/** For what is measured before it is walked. */
export function parseDeepJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** An own member of an object; inherited properties such as `constructor` are not members. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The texts of a list, without its other elements; undefined for anything but a list. */
export function asTexts(value: Json | undefined): readonly string[] | undefined {
  return isJsonList(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

/** Whether lists and objects are nested in each other more than `levels` deep. Needs no stack itself. */
export function isDeeperThan(value: Json, levels: number): boolean {
  let layer: Json[] = [value];
  for (let level = 0; layer.length > 0; level++) {
    const containers = layer.filter((item) => typeof item === 'object' && item !== null);
    if (containers.length > 0 && level >= levels) return true;
    layer = containers.flatMap((item) => Object.values(item));
  }
  return false;
}

/**
 * The one text of a JSON value, from which digests are computed: no spaces, keys ordered by UTF-16 code units, numbers as
 * JavaScript writes them, lone surrogates escaped.
 */
export function canonicalJson(value: Json): string {
  return canonicalText(value, 0);
}

const MAX_DEPTH = 200;

function canonicalText(value: Json, depth: number): string {
  if (depth > MAX_DEPTH) throw tooDeep();
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isJsonList(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join(',')}]`;
  return `{${canonicalMembers(value, depth + 1)}}`;
}

/** Every change of a ledger is signed, so this takes part of the time of each. */
function canonicalMembers(value: JsonObject, depth: number): string {
  let text = '';
  for (const key of Object.keys(value).sort()) {
    if (text !== '') text += ',';
    text += `${JSON.stringify(key)}:${canonicalText(value[key] as Json, depth)}`;
  }
  return text;
}

function tooDeep(): Fault {
  return new Fault('json/too-deep', `JSON is nested more than ${MAX_DEPTH} levels deep.`, {
    hint: 'Ask for something simpler.',
  });
}

/** Leaves out members that are null, at every depth. */
export function withoutNulls(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value, (_, each) => (each === null ? undefined : each)));
}
