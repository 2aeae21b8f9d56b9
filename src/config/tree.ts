/** Config values as plain JSON trees. Every function returns a new tree and does not change its input. */

import type { Json, JsonObject } from '../base/json.ts';
import type { KeyPath } from './key-path.ts';

export type Tree = JsonObject;

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property, never an inherited one. */
export function child(tree: Json | undefined, key: string): Json | undefined {
  return isTree(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined;
}

export function valueAt(tree: Json | undefined, path: KeyPath): Json | undefined {
  return path.reduce<Json | undefined>(child, tree);
}

/** Undefined removes the key. Missing tables on the way are created, and empty ones stay. */
export function withValueAt(tree: Json | undefined, path: KeyPath, value: Json | undefined): Tree {
  const [key, ...rest] = path;
  const base = isTree(tree) ? tree : {};
  if (key === undefined) return isTree(value) ? value : {};
  if (rest.length > 0) {
    if (value === undefined && child(base, key) === undefined) return base;
    return { ...base, [key]: withValueAt(child(base, key), rest, value) };
  }
  if (value !== undefined) return { ...base, [key]: value };
  const { [key]: _, ...others } = base;
  return others;
}

/** The tree with nothing but `value` at `path`. */
export function nested(path: KeyPath, value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => sameValue(item, b[at]));
  }
  if (!isTree(a) || !isTree(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  );
}
