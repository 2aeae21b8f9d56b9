import type { Json } from '../base/json.ts';
import type { Node } from './schema/node.ts';
import { child, isTree, type Tree } from './tree.ts';

export function defaultTree(node: Node): Tree {
  const value = defaultOf(node);
  return isTree(value) ? value : {};
}

/** Adds the defaults that the entries of maps and lists leave out. */
export function withDefaults(node: Node, value: Json | undefined): Json | undefined {
  if (value === undefined) return filledDefault(node);
  if (node.kind === 'list' && Array.isArray(value)) {
    return value.map((item: Json) => withDefaults(node.item, item) ?? item);
  }
  if (!isTree(value)) return value;
  if (node.kind === 'shorthand') return withDefaults(node.table, value);
  if (node.kind === 'map') {
    return fromEntries(Object.keys(value), (key) => withDefaults(node.value, value[key]));
  }
  if (node.kind !== 'table') return value;
  return fromEntries(Object.keys(node.fields), (key) => {
    const field = node.fields[key];
    return field && withDefaults(field, child(value, key));
  });
}

function filledDefault(node: Node): Json | undefined {
  const value = defaultOf(node);
  return value === undefined ? undefined : withDefaults(node, value);
}

function defaultOf(node: Node): Json | undefined {
  if (node.kind === 'table') {
    return fromEntries(Object.keys(node.fields), (key) => {
      const field = node.fields[key];
      return field && defaultOf(field);
    });
  }
  if (node.kind === 'map') return node.default ?? {};
  return node.kind === 'shorthand' || node.kind === 'any' ? undefined : node.default;
}

function fromEntries(keys: readonly string[], value: (key: string) => Json | undefined): Tree {
  const tree: Record<string, Json> = {};
  for (const key of keys) {
    const entry = value(key);
    if (entry !== undefined) tree[key] = entry;
  }
  return tree;
}
