/** Whether a JSON value fits a JSON Schema: the keywords that tools use; others are ignored, as their authors' hints. */

import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { checkCombination } from './check-combination.ts';
import { checkList } from './check-list.ts';
import { checkObject } from './check-object.ts';
import { checkChoice, checkNumber, checkText } from './check-scalar.ts';
import { checkType } from './check-type.ts';
import type { Problem } from './problem.ts';
import { resolveReference } from './reference.ts';
import type { Site } from './site.ts';

/**
 * What is wrong with `value`; nothing when it fits. Schemas may come from strangers: references lead nowhere else,
 * patterns that could take long are not tried, and a schema that goes round in circles ends in a problem.
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
  const wrongType = checkType(site);
  if (wrongType.length > 0) return wrongType;
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
