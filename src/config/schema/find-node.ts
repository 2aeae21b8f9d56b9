import { didYouMean } from '../../base/similar.ts';
import { formatKeyPath, type KeyPath } from '../key-path.ts';
import type { Node } from './node.ts';

export interface Problem {
  readonly path: KeyPath;
  /** A sentence without its full stop. */
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The node below `node` for `key`, or the problem with that key. `path` is the path of `node`. */
export function childNode(node: Node, key: string, path: KeyPath): Node | Problem {
  const here = [...path, key];
  if (key === '__proto__') return { path: here, message: `"${key}" cannot be a key` };
  if (node.kind === 'shorthand') return childNode(node.table, key, path);
  if (node.kind === 'any') return node;
  if (node.kind === 'map') {
    return node.key.pattern.test(key) ? node.value : badMapKey(here, key, node.key.hint);
  }
  if (node.kind !== 'table') return { path: here, message: `"${formatKeyPath(path)}" has no keys below it` };
  const found = Object.hasOwn(node.fields, key) ? node.fields[key] : undefined;
  return found ?? unknownKey(here, key, Object.keys(node.fields));
}

export function nodeAt(root: Node, path: KeyPath): Node | Problem {
  let node = root;
  for (const [depth, key] of path.entries()) {
    const next = childNode(node, key, path.slice(0, depth));
    if (isProblem(next)) return next;
    node = next;
  }
  return node;
}

export function isProblem(value: Node | Problem): value is Problem {
  return !('kind' in value);
}

function badMapKey(path: KeyPath, key: string, hint: string): Problem {
  return { path, message: `"${key}" cannot be a key of ${formatKeyPath(path.slice(0, -1))}`, hint };
}

function unknownKey(path: KeyPath, key: string, known: readonly string[]): Problem {
  const parent = path.slice(0, -1);
  const where = parent.length > 0 ? ` in ${formatKeyPath(parent)}` : '';
  const hint = didYouMean(key, known) ?? `Known keys${where}: ${known.join(', ')}.`;
  return { path, message: `"${key}" is not a known key${where}`, hint };
}
