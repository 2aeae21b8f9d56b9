import type { Json } from '../base/json.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import { strategyIn } from './merge.ts';
import { childNode, isProblem, type Problem } from './schema/find-node.ts';
import type { ListNode, MapNode, Node, NumberNode, TableNode } from './schema/node.ts';
import { isTree } from './tree.ts';

/** The mistakes in `value` as (a part of) what `node` describes. Keys may be missing. */
export function problemsIn(node: Node, value: unknown, path: KeyPath): Problem[] {
  switch (node.kind) {
    case 'text':
      return problemsInText(node.problem, value, path);
    case 'number':
      return isInRange(node, value) ? [] : [expected(path, numberWords(node), value)];
    case 'flag':
      return typeof value === 'boolean' ? [] : [expected(path, 'true or false', value)];
    case 'choice':
      return node.options.includes(value as string) ? [] : [expected(path, oneOf(node.options), value)];
    case 'list':
      return problemsInList(node, value, path);
    case 'table':
      return problemsInKeys(node, value, path);
    case 'map':
      return problemsInMap(node, value, path);
    case 'shorthand':
      if (typeof value === 'string') return problemsInText(node.text.problem, value, path);
      return isTree(value)
        ? problemsInKeys(node.table, value, path)
        : [expected(path, 'a text or a table', value)];
    case 'any':
      return isJson(value) ? [] : [expected(path, 'a JSON value', value)];
  }
}

export function missingKeys(node: Node, value: Json | undefined, path: KeyPath): Problem[] {
  if (node.kind === 'shorthand') return typeof value === 'string' ? [] : missingKeys(node.table, value, path);
  if (node.kind === 'list' && Array.isArray(value)) {
    return value.flatMap((item, at) => missingKeys(node.item, item, [...path, String(at)]));
  }
  if (!isTree(value)) return [];
  if (node.kind === 'map') {
    return Object.entries(value).flatMap(([key, entry]) => missingKeys(node.value, entry, [...path, key]));
  }
  if (node.kind !== 'table') return [];
  const missing = (node.required ?? [])
    .filter((key) => !Object.hasOwn(value, key))
    .map((key): Problem => ({ path, message: `${formatKeyPath(path)} has no "${key}"` }));
  const below = Object.entries(node.fields).flatMap(([key, field]) =>
    missingKeys(field, value[key], [...path, key]),
  );
  return [...missing, ...below];
}

function problemsInText(
  problem: ((text: string) => string | undefined) | undefined,
  value: unknown,
  path: KeyPath,
): Problem[] {
  if (typeof value !== 'string') return [expected(path, 'a text', value)];
  const wrong = problem?.(value);
  return wrong ? [{ path, message: `${formatKeyPath(path)} ${wrong}: ${JSON.stringify(value)}` }] : [];
}

function problemsInList(node: ListNode, value: unknown, path: KeyPath): Problem[] {
  if (!Array.isArray(value)) return [expected(path, 'a list', value)];
  return value.flatMap((item, at) => problemsIn(node.item, item, [...path, String(at)]));
}

function problemsInMap(node: MapNode, value: unknown, path: KeyPath): Problem[] {
  const wrapped = node.hasStrategies ? strategyIn(value) : undefined;
  if (wrapped === 'unknown') {
    return [{ path: [...path, 'strategy'], message: 'the strategy is unknown', hint: STRATEGY_HINT }];
  }
  return problemsInKeys(node, wrapped ? wrapped.value : value, path);
}

const STRATEGY_HINT = 'Use deep_merge, merge, keep or replace.';

function problemsInKeys(node: MapNode | TableNode, value: unknown, path: KeyPath): Problem[] {
  if (!isTree(value)) return [expected(path, 'a table', value)];
  return Object.entries(value).flatMap(([key, entry]) => {
    const below = childNode(node, key, path);
    return isProblem(below) ? [below] : problemsIn(below, entry, [...path, key]);
  });
}

function isInRange(node: NumberNode, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return value >= node.min && value <= node.max && (!node.integer || Number.isSafeInteger(value));
}

function numberWords({ integer, min, max }: NumberNode): string {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return `a ${integer ? 'whole ' : ''}number ${range}`;
}

function oneOf(options: readonly string[]): string {
  return `one of ${options.map((option) => JSON.stringify(option)).join(', ')}`;
}

function expected(path: KeyPath, what: string, value: unknown): Problem {
  const name = path.length > 0 ? formatKeyPath(path) : 'a config';
  return { path, message: `${name} must be ${what}, not ${shown(value)}` };
}

function shown(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return isJson(value) ? 'a table' : 'a date';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}
