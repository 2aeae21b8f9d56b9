import { Fault } from '../../base/fault.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { TYPE_NAMES } from './schema/check-scalar.ts';
import { checkValue } from './schema/check-value.ts';
import { alternatives, problemText } from './schema/problem.ts';

/** A parameter as it is configured; its values are unchecked JSON. */
export interface ParameterDefinition {
  /** A JSON Schema type or a list of them; any when absent. */
  readonly type?: Json;
  readonly description?: string;
  readonly required?: boolean;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly items?: Json;
}

/** An invalid definition is a Fault that names it by `owner`. */
export function parametersSchema(
  owner: string,
  parameters: Readonly<Record<string, ParameterDefinition>>,
): JsonObject {
  const properties = Object.entries(parameters).map(([name, definition]) => [
    name,
    propertySchema(`${owner}.${name}`, definition),
  ]);
  const required = Object.keys(parameters).filter((name) => parameters[name]?.required);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function propertySchema(place: string, definition: ParameterDefinition): JsonObject {
  const { required: _, default: fallback, ...schema } = definition;
  refuseUnknownTypes(place, schema);
  if (schema.enum?.length === 0) throw invalid(place, 'enum', 'names no value');
  if (schema.items !== undefined) refuseBadItems(place, schema.items);
  if (fallback === undefined) return schema;
  const [problem] = checkValue(schema, fallback);
  if (problem) throw invalid(place, 'default', problemText(problem));
  return { ...schema, default: fallback };
}

function refuseUnknownTypes(place: string, { type }: { readonly type?: Json }): void {
  if (type === undefined) return;
  const names = isJsonList(type) ? type : [type];
  const isKnown = names.length > 0 && names.every((name) => TYPE_NAMES.some((known) => known === name));
  if (!isKnown) throw invalid(place, 'type', `must be ${alternatives(TYPE_NAMES)}, or a list of them`);
}

function refuseBadItems(place: string, items: Json): void {
  if (!isJsonObject(items)) throw invalid(place, 'items', 'must be a JSON Schema, like { type = "string" }');
  refuseUnknownTypes(`${place}.items`, items);
}

function invalid(place: string, key: string, reason: string): Fault {
  return new Fault('config/invalid', `${place}.${key} ${reason}.`, {
    hint: 'See "ken config schema", or another tool that works.',
  });
}
