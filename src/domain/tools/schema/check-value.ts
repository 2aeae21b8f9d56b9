/** Checks a JSON value against a JSON Schema: the keywords that tools use; others are ignored. */

import {
  canonicalJson,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
} from '../../../base/json.ts';
import { didYouMean } from '../../../base/similar.ts';
import { checkChoice, checkNumber, checkText, checkType, typesOf, wrongType } from './check-scalar.ts';
import { resolveReference } from './fill-defaults.ts';
import { alternatives, type Problem, problemAt, type Site } from './problem.ts';
import { matches } from './safe-pattern.ts';

/**
 * Schemas may come from strangers: references stay inside the schema, patterns that could take long are not tried,
 * and a schema that refers to itself endlessly is a problem.
 */
export function checkValue(schema: JsonObject, value: Json): Problem[] {
  let visits = 0;

  function visit(part: Json, at: Json, path: Site['path'], depth: number): Problem[] {
    if (part === false) return [{ path, message: 'is not allowed' }];
    if (!isJsonObject(part)) return [];
    visits += 1;
    if (depth > MAX_DEPTH || visits > MAX_VISITS) return [{ path, message: 'is too involved to be checked' }];
    const check: Site['check'] = (next, inner, step) =>
      visit(next, inner, step === undefined ? path : [...path, step], depth + 1);
    return checkHere({ schema: part, value: at, path, check }, schema);
  }

  return visit(schema, value, [], 0);
}

const MAX_DEPTH = 100;
const MAX_VISITS = 100_000;

function checkHere(site: Site, root: JsonObject): Problem[] {
  const wrong = checkType(site);
  if (wrong.length > 0) return wrong;
  const reference = site.schema.$ref;
  const target = typeof reference === 'string' ? resolveReference(root, reference) : undefined;
  return [
    ...(target === undefined ? [] : site.check(target, site.value)),
    ...checkChoice(site),
    ...checkNumber(site),
    ...checkText(site),
    ...checkList(site),
    ...checkObject(site),
    ...checkCombination(site),
  ];
}

function checkObject(site: Site): Problem[] {
  const { value } = site;
  if (!isJsonObject(value)) return [];
  return [...checkRequired(site, value), ...checkMembers(site, value), ...checkMemberCount(site, value)];
}

function checkRequired(site: Site, value: JsonObject): Problem[] {
  const { required, properties } = site.schema;
  if (!isJsonList(required)) return [];
  const missing = required
    .filter((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    .map(String);
  return missing.map((name) => {
    const schema = memberOf(properties, name);
    const types = isJsonObject(schema) ? typesOf(schema) : [];
    return {
      path: [...site.path, name],
      message: types.length > 0 ? `is required (${types.join(' or ')})` : 'is required',
    };
  });
}

function checkMembers(site: Site, value: JsonObject): Problem[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const schemas = schemasFor(site.schema, name);
    if (schemas.length > 0) return schemas.flatMap((schema) => site.check(schema, member, name));
    const { additionalProperties = true } = site.schema;
    if (additionalProperties === false) return [unknownMember(site, value, name)];
    return site.check(additionalProperties, member, name);
  });
}

function schemasFor(schema: JsonObject, name: string) {
  const named = memberOf(schema.properties, name);
  const patterns = isJsonObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const matching = patterns.filter(([pattern]) => matches(pattern, name) !== false).map(([, other]) => other);
  return named === undefined ? matching : [named, ...matching];
}

function unknownMember(site: Site, value: JsonObject, name: string): Problem {
  const { properties } = site.schema;
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const free = known.filter((candidate) => !Object.hasOwn(value, candidate));
  return {
    path: [...site.path, name],
    message: `is not known here. ${didYouMean(name, free) ?? whatThereIs(known)}`,
  };
}

function whatThereIs(known: readonly string[]): string {
  if (known.length === 0) return 'Nothing may be given.';
  const shown = known.slice(0, MAX_NAMES_SHOWN);
  const more = known.length > shown.length ? ` and ${known.length - shown.length} more` : '';
  return `There is ${alternatives(shown)}${more}.`;
}

const MAX_NAMES_SHOWN = 20;

function checkMemberCount(site: Site, value: JsonObject): Problem[] {
  const { minProperties, maxProperties } = site.schema;
  const count = Object.keys(value).length;
  if (typeof minProperties === 'number' && count < minProperties) {
    return [problemAt(site, `must have at least ${minProperties} members, not ${count}`)];
  }
  if (typeof maxProperties === 'number' && count > maxProperties) {
    return [problemAt(site, `must have at most ${maxProperties} members, not ${count}`)];
  }
  return [];
}

function checkList(site: Site): Problem[] {
  const { schema, value } = site;
  if (!isJsonList(value)) return [];
  return [
    ...checkLength(site, value),
    ...checkElements(site, value),
    ...checkUnique(site, value, schema.uniqueItems),
  ];
}

function checkLength(site: Site, value: readonly Json[]): Problem[] {
  const { minItems, maxItems } = site.schema;
  if (typeof minItems === 'number' && value.length < minItems) {
    return [
      problemAt(
        site,
        minItems === 1 ? 'must not be empty' : `must have at least ${minItems} elements, not ${value.length}`,
      ),
    ];
  }
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return [problemAt(site, `must have at most ${maxItems} elements, not ${value.length}`)];
  }
  return [];
}

/** `items` as a list is how older schemas write `prefixItems`. */
function checkElements(site: Site, value: readonly Json[]): Problem[] {
  const { items, prefixItems, additionalItems } = site.schema;
  const first = isJsonList(items) ? items : isJsonList(prefixItems) ? prefixItems : [];
  const rest = (isJsonList(items) ? additionalItems : items) ?? true;
  return value.flatMap((element, at) => site.check(first[at] ?? rest, element, at));
}

function checkUnique(site: Site, value: readonly Json[], isWanted: Json | undefined): Problem[] {
  if (isWanted !== true) return [];
  const seen = new Map<string, number>();
  for (const [at, element] of value.entries()) {
    const text = canonicalJson(element);
    const earlier = seen.get(text);
    if (earlier !== undefined)
      return [problemAt(site, `must not hold the same twice: elements ${earlier} and ${at} are equal`)];
    seen.set(text, at);
  }
  return [];
}

function checkCombination(site: Site): Problem[] {
  const { allOf, anyOf, oneOf, not } = site.schema;
  return [
    ...branches(site, allOf).flat(),
    ...checkAny(site, anyOf),
    ...checkOne(site, oneOf),
    ...checkNot(site, not),
  ];
}

function branches(site: Site, schemas: Json | undefined): Problem[][] {
  return isJsonList(schemas) ? schemas.map((schema) => site.check(schema, site.value)) : [];
}

function checkAny(site: Site, schemas: Json | undefined): Problem[] {
  const results = branches(site, schemas);
  return results.some((problems) => problems.length === 0) ? [] : nearest(site, results);
}

function checkOne(site: Site, schemas: Json | undefined): Problem[] {
  const results = branches(site, schemas);
  const fitting = results.filter((problems) => problems.length === 0).length;
  if (fitting === 0) return nearest(site, results);
  return fitting === 1
    ? []
    : [problemAt(site, `must fit exactly one of its ${results.length} forms, but fits ${fitting}`)];
}

function checkNot(site: Site, schema: Json | undefined): Problem[] {
  if (schema === undefined || site.check(schema, site.value).length > 0) return [];
  return [problemAt(site, 'has a form that is not allowed')];
}

/** Problems of the branch that was most likely meant: the right type, and the fewest problems. */
function nearest(site: Site, results: readonly Problem[][]): Problem[] {
  const typed = results.filter((problems) => !problems.some((problem) => isWrongTypeAt(site, problem)));
  if (typed.length > 0) return typed.reduce((best, next) => (next.length < best.length ? next : best));
  const types = results.flat().flatMap(({ expectedTypes = [] }) => expectedTypes);
  return types.length > 0 ? [wrongType(site.path, types, site.value)] : (results[0] ?? []);
}

function isWrongTypeAt(site: Site, { expectedTypes, path }: Problem): boolean {
  return expectedTypes !== undefined && path.length === site.path.length;
}
