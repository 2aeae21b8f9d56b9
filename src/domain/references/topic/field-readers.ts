import { parseIsoTime } from '../../../base/time.ts';

export type Table = Readonly<Record<string, unknown>>;

/** Says why a table is not a valid topic. */
export class FieldProblem extends Error {}

/** Excludes dates, which some parsers return as objects. */
export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isDate(value);
}

function isDate(value: object): boolean {
  return 'toISOString' in value && typeof value.toISOString === 'function';
}

export function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}

export function text(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new FieldProblem(`${name} is not a text`);
}

export function nonEmpty(name: string, value: unknown): string {
  const given = text(name, value ?? '').trim();
  if (given !== '') return given;
  throw new FieldProblem(`${name} is missing`);
}

export function list(name: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new FieldProblem(`${name} is not a list`);
}

export function texts(name: string, value: unknown): string[] {
  return list(name, value).map((item) => text(name, item));
}

/** A text, or the object that a parser makes of an unquoted date. */
export function instant(name: string, value: unknown): number {
  const isObject = typeof value === 'object' && value !== null && isDate(value);
  const written = isObject ? String(JSON.parse(JSON.stringify(value))) : value;
  const time = typeof written === 'string' ? parseIsoTime(written) : undefined;
  if (time === undefined) throw new FieldProblem(`${name} is not a time`);
  return time;
}

export function whole(name: string, value: unknown, most: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= most) return value;
  const range = most === 10 ? 'a whole number from 0 to 10' : 'a whole number from 0';
  throw new FieldProblem(`${name} is not ${range}`);
}
