import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonList, type Json } from '../../../base/json.ts';
import { didYouMean } from '../../../base/similar.ts';
import { alternatives, type Problem, shortJson } from './problem.ts';
import { matches } from './safe-pattern.ts';
import { problemAt, type Site } from './site.ts';

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

export function isSame(a: Json, b: Json): boolean {
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

/** As far as binary fractions can tell: 0.3 is a multiple of 0.1. */
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
