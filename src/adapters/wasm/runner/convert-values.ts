/** Converts between JSON and the values of the glue, by the types of a component's own functions. */

import type { Json } from '../../../base/json.ts';
import { ComponentError } from '../component-error.ts';
import type { Named, Primitive, ValueType } from '../types/value-type.ts';

/** The name that the glue gives to a function or a field. */
export function glueName(name: string): string {
  const [first = '', ...others] = name.split('-').map((word) => word.toLowerCase());
  return [first, ...others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join('');
}

/** Throws a ComponentError for a value that does not fit; ken has checked it against the schema before. */
export function toGuest(type: ValueType, value: Json | undefined): unknown {
  switch (type.kind) {
    case 'primitive':
      return primitiveToGuest(type.name, value);
    case 'list':
      return listToGuest(type.of, listOf(value));
    case 'option':
      return optionToGuest(type.of, value);
    case 'tuple': {
      const given = listOf(value);
      return type.parts.map((part, at) => toGuest(part, given[at]));
    }
    case 'record':
      return fieldsToGuest(type.fields, value);
    case 'enum':
      return oneOf(type.names, value);
    case 'flags': {
      const set = listOf(value).map((name) => oneOf(type.names, name));
      return Object.fromEntries(type.names.map((name) => [glueName(name), set.includes(name)]));
    }
    case 'variant':
      return caseToGuest(type.cases, value);
    case 'result':
      return caseToGuest(casesOf(type), value);
    default:
      throw misfit();
  }
}

function casesOf(type: Extract<ValueType, { kind: 'result' }>): readonly Named<ValueType | undefined>[] {
  return [
    { name: 'ok', type: type.ok },
    { name: 'err', type: type.error },
  ];
}

function fieldsToGuest(fields: readonly Named<ValueType>[], value: Json | undefined): object {
  return Object.fromEntries(
    fields.map(({ name, type }) => [glueName(name), toGuest(type, member(value, name))]),
  );
}

/** An option inside of an option is a variant in the glue. */
function optionToGuest(of: ValueType, value: Json | undefined): unknown {
  const isNothing = value === undefined || value === null;
  if (of.kind !== 'option') return isNothing ? undefined : toGuest(of, value);
  return isNothing ? { tag: 'none' } : { tag: 'some', val: toGuest(of, value) };
}

function caseToGuest(cases: readonly Named<ValueType | undefined>[], value: Json | undefined): object {
  const tag = oneOf(
    cases.map(({ name }) => name),
    member(value, 'tag'),
  );
  const type = cases.find(({ name }) => name === tag)?.type;
  return { tag, val: type ? toGuest(type, member(value, 'val')) : undefined };
}

/** Typed arrays, which the glue copies as they are. */
const ARRAYS = {
  s8: Int8Array,
  u8: Uint8Array,
  s16: Int16Array,
  u16: Uint16Array,
  s32: Int32Array,
  u32: Uint32Array,
  s64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

function listToGuest(of: ValueType, values: readonly Json[]): unknown {
  const converted = values.map((value) => toGuest(of, value));
  if (of.kind !== 'primitive' || !(of.name in ARRAYS)) return converted;
  const ArrayType: { from(values: readonly unknown[]): unknown } = Reflect.get(ARRAYS, of.name);
  return ArrayType.from(converted);
}

const LONG_LIMITS = {
  s64: [-(2n ** 63n), 2n ** 63n - 1n],
  u64: [0n, 2n ** 64n - 1n],
} as const;

function primitiveToGuest(name: Primitive, value: Json | undefined): unknown {
  if (name === 's64' || name === 'u64') return longToGuest(name, value);
  if (name === 'bool' && typeof value === 'boolean') return value;
  if (name === 'string' && typeof value === 'string') return value;
  if (name === 'char' && typeof value === 'string' && Array.from(value).length === 1) return value;
  if (name !== 'bool' && name !== 'string' && name !== 'char' && typeof value === 'number') return value;
  throw misfit();
}

function longToGuest(name: 's64' | 'u64', value: Json | undefined): bigint {
  const isExact = typeof value === 'number' ? Number.isInteger(value) : /^-?\d{1,20}$/.test(String(value));
  if (!isExact) throw misfit();
  const long = BigInt(value as string | number);
  const [least, most] = LONG_LIMITS[name];
  if (long < least || long > most) throw misfit();
  return long;
}

/** JSON of what a function returned. */
export function fromGuest(type: ValueType, value: unknown): Json {
  switch (type.kind) {
    case 'primitive':
      return primitiveFromGuest(value);
    case 'list':
      return Array.from(value as ArrayLike<unknown>, (each) => fromGuest(type.of, each));
    case 'option':
      return optionFromGuest(type.of, value);
    case 'tuple':
      return type.parts.map((part, at) => fromGuest(part, Reflect.get(value as object, at)));
    case 'record':
      return Object.fromEntries(
        type.fields.flatMap(({ name, type: field }) => {
          const given = fromGuest(field, Reflect.get(value as object, glueName(name)));
          return given === null && field.kind === 'option' ? [] : [[name, given]];
        }),
      );
    case 'enum':
      return String(value);
    case 'flags':
      return type.names.filter((name) => Reflect.get(value as object, glueName(name)) === true);
    case 'variant':
      return caseFromGuest(type.cases, value);
    case 'result':
      return caseFromGuest(casesOf(type), value);
    default:
      throw misfit();
  }
}

function optionFromGuest(of: ValueType, value: unknown): Json {
  if (of.kind !== 'option') return value === undefined || value === null ? null : fromGuest(of, value);
  const { tag, val } = value as { tag: string; val?: unknown };
  return tag === 'none' ? null : fromGuest(of, val);
}

function caseFromGuest(cases: readonly Named<ValueType | undefined>[], value: unknown): Json {
  const { tag, val } = value as { tag: string; val?: unknown };
  const type = cases.find(({ name }) => name === tag)?.type;
  return type ? { tag, val: fromGuest(type, val) } : { tag };
}

/** JSON has no exact long numbers; they become texts. */
function primitiveFromGuest(value: unknown): Json {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new ComponentError('wasm/output', 'The function returned a number that JSON does not have.');
  }
  return value as Json;
}

function listOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw misfit();
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw misfit();
  return Object.hasOwn(value, name) ? (value as Record<string, Json>)[name] : undefined;
}

function oneOf(names: readonly string[], value: Json | undefined): string {
  if (typeof value === 'string' && names.includes(value)) return value;
  throw misfit();
}

function misfit(): ComponentError {
  return new ComponentError('wasm/wrong-signature', 'The arguments do not fit the types of the function.');
}
