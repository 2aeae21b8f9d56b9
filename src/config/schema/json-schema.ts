import type { JsonObject } from '../../base/json.ts';
import { SCHEMA } from '../schema.ts';
import type { MapNode, Node, TableNode } from './node.ts';

export function configJsonSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'ken config',
    ...schemaOf(SCHEMA),
  };
}

function schemaOf(node: Node): JsonObject {
  return { description: described(node), ...shape(node) };
}

function described({ description, by, effect, kind }: Node): string {
  if (by === 'authority') return `${description} Only in authority.toml, in your data directory.`;
  if (by === 'user') return `${description} Only in your own config file.`;
  const waits = kind !== 'table' && typeof effect === 'string' && effect !== 'harmless';
  return waits ? `${description} From a workspace only once it is trusted, unless it narrows.` : description;
}

function shape(node: Node): JsonObject {
  switch (node.kind) {
    case 'text':
      return { type: 'string', ...optional('default', node.default) };
    case 'flag':
      return { type: 'boolean', ...optional('default', node.default) };
    case 'choice':
      return { type: 'string', enum: node.options, ...optional('default', node.default) };
    case 'number':
      return {
        type: node.integer ? 'integer' : 'number',
        minimum: node.min,
        ...optional('maximum', node.max === Number.MAX_SAFE_INTEGER ? undefined : node.max),
        ...optional('default', node.default),
      };
    case 'list':
      return { type: 'array', items: schemaOf(node.item), ...optional('default', node.default) };
    case 'table':
      return tableShape(node);
    case 'map':
      return mapShape(node);
    case 'shorthand':
      return { anyOf: [{ type: 'string' }, schemaOf(node.table)] };
    case 'any':
      return {};
  }
}

function tableShape(node: TableNode): JsonObject {
  const properties = Object.entries(node.fields).map(([key, field]) => [key, schemaOf(field)]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...optional('required', node.required),
    additionalProperties: false,
  };
}

function mapShape(node: MapNode): JsonObject {
  const entries: JsonObject = {
    type: 'object',
    propertyNames: { pattern: node.key.pattern.source },
    additionalProperties: schemaOf(node.value),
  };
  if (!node.hasStrategies) return { ...entries, ...optional('default', node.default) };
  const wrapper: JsonObject = {
    type: 'object',
    properties: { strategy: { enum: ['deep_merge', 'merge', 'keep', 'replace'] }, value: entries },
    required: ['strategy', 'value'],
    additionalProperties: false,
  };
  return { anyOf: [entries, wrapper] };
}

function optional(key: string, value: JsonObject[string] | undefined): JsonObject {
  return value === undefined ? {} : { [key]: value };
}
