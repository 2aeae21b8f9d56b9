import { isJsonList, isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';

/** What `$ref` points to inside the same schema; undefined for other places, which are never fetched. */
export function resolveReference(root: JsonObject, reference: string): Json | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let found: Json | undefined = root;
  for (const step of reference.slice(2).split('/')) found = stepInto(found, unescapeStep(step));
  return found;
}

function stepInto(value: Json | undefined, name: string): Json | undefined {
  if (isJsonList(value)) return /^\d+$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) ? memberOf(value, name) : undefined;
}

/** As JSON Pointers in URIs are written. */
function unescapeStep(step: string): string {
  const decoded = /^(?:[^%]|%[0-7][0-9a-fA-F])*$/.test(step) ? decodeURIComponent(step) : step;
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}
