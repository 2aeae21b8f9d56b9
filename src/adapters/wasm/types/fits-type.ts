/** Whether JSON fits the type of a component's own function. The process that sent it may have been taken over. */

import { isJsonList, isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import { INTEGER_RANGES, type Named, type Primitive, type ValueType } from './value-type.ts';

type Fits = (value: Json | undefined) => boolean;

/** The time it takes grows with the size of the value alone, however many cases the type has. */
export function fitsType(type: ValueType, value: Json): boolean {
  return checkOf(type)(value);
}

function checkOf(type: ValueType): Fits {
  switch (type.kind) {
    case 'primitive':
      return (value) => fitsPrimitive(type.name, value);
    case 'list':
      return listCheck(checkOf(type.of));
    case 'option':
      return optionCheck(checkOf(type.of));
    case 'tuple':
      return tupleCheck(type.parts.map(checkOf));
    case 'record':
      return recordCheck(type.fields);
    case 'enum':
      return oneOfCheck(new Set(type.names));
    case 'flags':
      return flagsCheck(new Set(type.names));
    case 'variant':
      return caseCheck(type.cases);
    case 'result':
      return caseCheck([
        { name: 'ok', type: type.ok },
        { name: 'err', type: type.error },
      ]);
    default:
      return () => false;
  }
}

function fitsPrimitive(name: Primitive, value: Json | undefined): boolean {
  if (name === 'bool') return typeof value === 'boolean';
  if (name === 'string') return typeof value === 'string';
  if (name === 'char') return typeof value === 'string' && value.length <= 2 && [...value].length === 1;
  if (name === 's64' || name === 'u64') {
    return Number.isInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value));
  }
  if (typeof value !== 'number') return false;
  if (name === 'f32' || name === 'f64') return true;
  const [least, most] = INTEGER_RANGES[name];
  return Number.isInteger(value) && value >= least && value <= most;
}

function listCheck(fits: Fits): Fits {
  return (value) => isJsonList(value) && value.every(fits);
}

function optionCheck(fits: Fits): Fits {
  return (value) => value === undefined || value === null || fits(value);
}

function tupleCheck(parts: readonly Fits[]): Fits {
  return (value) =>
    isJsonList(value) && value.length === parts.length && parts.every((fits, at) => fits(value[at]));
}

function recordCheck(fields: readonly Named<ValueType>[]): Fits {
  const checks = new Map(fields.map(({ name, type }) => [name, checkOf(type)]));
  return (value) =>
    isJsonObject(value) &&
    Object.keys(value).every((name) => checks.has(name)) &&
    [...checks].every(([name, fits]) => fits(memberOf(value, name)));
}

function oneOfCheck(names: ReadonlySet<string>): Fits {
  return (value) => typeof value === 'string' && names.has(value);
}

function flagsCheck(names: ReadonlySet<string>): Fits {
  return (value) =>
    isJsonList(value) &&
    value.length <= names.size &&
    value.every(oneOfCheck(names)) &&
    new Set(value).size === value.length;
}

/** A case without a type has no value. */
function caseCheck(cases: readonly Named<ValueType | undefined>[]): Fits {
  const checks = new Map(cases.map(({ name, type }) => [name, type ? checkOf(type) : hasNone]));
  return (value) => {
    if (!isJsonObject(value) || !hasOnly(value, ['tag', 'val'])) return false;
    const fits = typeof value.tag === 'string' ? checks.get(value.tag) : undefined;
    return fits?.(memberOf(value, 'val')) ?? false;
  };
}

function hasNone(value: Json | undefined): boolean {
  return value === undefined;
}

function hasOnly(value: JsonObject, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
