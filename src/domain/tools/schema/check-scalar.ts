import { canonicalJson, isJsonList, type Json, type JsonObject } from '../../../base/json.ts';
import { didYouMean } from '../../../base/similar.ts';
import { alternatives, describeValue, type Problem, problemAt, type Site, shortJson } from './problem.ts';
import { matches } from './safe-pattern.ts';

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

/** Empty when the schema allows any type, or names an unknown one. */
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

export function checkChoice(site: Site): Problem[] {
  const { schema, value } = site;
  if (Object.hasOwn(schema, 'const') && schema.const !== undefined && !isSame(value, schema.const)) {
    return [problemAt(site, `must be ${shortJson(schema.const)}`)];
  }
  const choices = schema.enum;
  if (!isJsonList(choices) || choices.some((choice) => isSame(value, choice))) return [];
  const shown = choices.slice(0, MAX_CHOICES_SHOWN).map(shortJson);
  const more = choices.length > shown.length ? ` (and ${choices.length - shown.length} more)` : '';
  const texts = choices.filter((choice) => typeof choice === 'string');
  const hint = typeof value === 'string' ? didYouMean(value, texts) : undefined;
  const message = `must be ${alternatives(shown)}${more}, not ${shortJson(value)}`;
  return [problemAt(site, hint ? `${message}. ${hint}` : message)];
}

const MAX_CHOICES_SHOWN = 20;

function isSame(a: Json, b: Json): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && canonicalJson(a) === canonicalJson(b));
}

export function checkNumber(site: Site): Problem[] {
  const { schema, value } = site;
  if (typeof value !== 'number') return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const wrong: string[] = [];
  if (typeof minimum === 'number' && value < minimum) wrong.push(`must be at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) wrong.push(`must be at most ${maximum}`);
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum)
    wrong.push(`must be above ${exclusiveMinimum}`);
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
    wrong.push(`must be below ${exclusiveMaximum}`);
  if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf))
    wrong.push(`must be a multiple of ${multipleOf}`);
  return wrong.map((message) => problemAt(site, `${message}, not ${value}`));
}

/** Whether a number is a multiple within the precision of binary fractions: 0.3 is one of 0.1. */
function isMultiple(value: number, step: number): boolean {
  if (!(step > 0)) return true;
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= Math.abs(times) * 1e-12 + 1e-12;
}

export function checkText(site: Site): Problem[] {
  const { schema, value } = site;
  if (typeof value !== 'string') return [];
  const { minLength, maxLength, pattern } = schema;
  const length = [...value].length;
  const wrong: string[] = [];
  if (typeof minLength === 'number' && length < minLength) {
    wrong.push(
      minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters, not ${length}`,
    );
  }
  if (typeof maxLength === 'number' && length > maxLength) {
    wrong.push(`must have at most ${maxLength} characters, not ${length}`);
  }
  if (typeof pattern === 'string' && matches(pattern, value) === false) {
    wrong.push(`must match the pattern ${shortJson(pattern)}`);
  }
  return wrong.map((message) => problemAt(site, message));
}
