import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

/** The same schema for clients that know one `type` at a time: a list of types becomes a choice between schemas. */
export function portableSchema(schema: JsonObject): JsonObject {
  const { type, items, ...rest } = mapped(schema);
  if (!isJsonList(type))
    return { ...(type !== undefined && { type }), ...rest, ...(items !== undefined && { items }) };
  const branches = type.map((each) =>
    each === 'array' && items !== undefined ? { type: each, items } : { type: each },
  );
  return { ...rest, anyOf: branches };
}

/** With everything inside made portable. */
function mapped(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'properties' ? eachMember(value) : inner(key, value),
    ]),
  );
}

function eachMember(members: Json): Json {
  if (!isJsonObject(members)) return members;
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, inner('items', schema)]));
}

const HOLDS_A_SCHEMA = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'];

function inner(key: string, value: Json): Json {
  if (!HOLDS_A_SCHEMA.includes(key)) return value;
  if (isJsonList(value)) return value.map((each) => inner(key, each));
  return isJsonObject(value) ? portableSchema(value) : value;
}
