import { canonicalJson } from '../../../base/canonical-json.ts';
import { isJsonList, type Json } from '../../../base/json.ts';
import type { Problem } from './problem.ts';
import { problemAt, type Site } from './site.ts';

export function checkList(site: Site): Problem[] {
  const { schema, value } = site;
  if (!isJsonList(value)) return [];
  return [
    ...checkCount(site, value),
    ...checkElements(site, value),
    ...checkUnique(site, value, schema.uniqueItems),
  ];
}

function checkCount(site: Site, value: readonly Json[]): Problem[] {
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
