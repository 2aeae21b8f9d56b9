import { isJsonList, isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';

/** Adds missing members that have a default, at any depth. Stops in a schema that refers to itself endlessly. */
export function fillDefaults(schema: JsonObject, value: Json): Json {
  let visits = 0;

  function filled(part: Json | undefined, at: Json, depth: number): Json {
    visits += 1;
    if (!isJsonObject(part) || depth > MAX_DEPTH || visits > MAX_VISITS) return at;
    const fill: Fill = (next, inner) => filled(next, inner, depth + 1);
    const before = includedSchemas(schema, part).reduce((current, other) => fill(other, current), at);
    if (isJsonList(before)) return before.map((element) => fill(part.items, element));
    return isJsonObject(before) ? filledObject(part, before, fill) : before;
  }

  return filled(schema, value, 0);
}

const MAX_DEPTH = 100;
const MAX_VISITS = 100_000;

type Fill = (schema: Json | undefined, value: Json) => Json;

function includedSchemas(root: JsonObject, { $ref, allOf }: JsonObject): Json[] {
  const target = typeof $ref === 'string' ? resolveReference(root, $ref) : undefined;
  return [...(target === undefined ? [] : [target]), ...(isJsonList(allOf) ? allOf : [])];
}

function filledObject({ properties }: JsonObject, value: JsonObject, fill: Fill): JsonObject {
  if (!isJsonObject(properties)) return value;
  const given = Object.entries(value).map(([name, member]) => [
    name,
    fill(memberOf(properties, name), member),
  ]);
  const missing = Object.entries(properties).flatMap(([name, property]) => {
    const fallback = memberOf(property, 'default');
    return fallback === undefined || Object.hasOwn(value, name) ? [] : [[name, fallback]];
  });
  return Object.fromEntries([...given, ...missing]);
}

/** Undefined for a `$ref` outside of the schema, which is never fetched. */
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

/** Decodes one step of a JSON Pointer in a URI. */
function unescapeStep(step: string): string {
  const decoded = /^(?:[^%]|%[0-7][0-9a-fA-F])*$/.test(step) ? decodeURIComponent(step) : step;
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}
