import { isJsonList, type Json } from '../../../base/json.ts';
import { wrongType } from './check-type.ts';
import type { Problem } from './problem.ts';
import { problemAt, type Site } from './site.ts';

export function checkCombination(site: Site): Problem[] {
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

/** The problems of the branch that was most likely meant: of the right type, and least wrong. */
function nearest(site: Site, results: readonly Problem[][]): Problem[] {
  const typed = results.filter((problems) => !problems.some((problem) => isWrongType(site, problem)));
  if (typed.length > 0) return typed.reduce((best, next) => (next.length < best.length ? next : best));
  const types = results.flat().flatMap(({ expectedTypes = [] }) => expectedTypes);
  return types.length > 0 ? [wrongType(site.path, types, site.value)] : (results[0] ?? []);
}

function isWrongType(site: Site, { expectedTypes, path }: Problem): boolean {
  return expectedTypes !== undefined && path.length === site.path.length;
}
