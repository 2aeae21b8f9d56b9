import type { Json, JsonObject } from '../../../base/json.ts';

export interface Problem {
  /** From the whole value down to the part. */
  readonly path: readonly (string | number)[];
  /** Reads on from the path: `must be a number, not the text "3"`. */
  readonly message: string;
  readonly expectedTypes?: readonly string[];
}

export interface Site {
  readonly schema: JsonObject;
  readonly value: Json;
  readonly path: readonly (string | number)[];
  /** Problems of this value, or of a part of it, under another schema. */
  check(schema: Json, value: Json, step?: string | number): Problem[];
}

export function problemAt(site: Site, message: string): Problem {
  return { path: site.path, message };
}

/** `files[0].name: is required`; without a path the message alone. */
export function problemText({ path, message }: Problem): string {
  const place = path.map(written).join('').replace(/^\./, '');
  return place === '' ? message : `${place}: ${message}`;
}

function written(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  if (step.length > MAX_SHOWN) return `[${shortJson(step)}]`;
  return PLAIN_NAME.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** `the text "a"`, `the number 3`, `a list of 2`: short, however large the value is. */
export function describeValue(value: Json): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value === 'string') return `the text ${shortJson(value)}`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  return 'an object';
}

export function shortJson(value: Json): string {
  if (typeof value !== 'string') return cut(JSON.stringify(value), MAX_SHOWN);
  return value.length > MAX_SHOWN
    ? `${JSON.stringify(value.slice(0, MAX_SHOWN).toWellFormed())} (cut)`
    : JSON.stringify(value);
}

const MAX_SHOWN = 60;

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
