import type { Json } from '../base/json.ts';
import { applyChanges, type Change } from './change.ts';
import type { KeyPath } from './key-path.ts';
import { asList } from './merge.ts';
import type { MapNode, Node, TableNode } from './schema/node.ts';
import { child, isTree, sameValue, type Tree, valueAt } from './tree.ts';

/** Applying the changes to `before` gives `after`. Additions to and removals from lists and maps stay single changes. */
export function deltaBetween(root: Node, before: Tree, after: Tree): Change[] {
  return difference({ root, before, after }, root, []);
}

interface Pair {
  readonly root: Node;
  readonly before: Tree;
  readonly after: Tree;
}

function difference(pair: Pair, node: Node, path: KeyPath): Change[] {
  const a = valueAt(pair.before, path);
  const b = valueAt(pair.after, path);
  if (isSame(node, a, b)) return [];
  if (b === undefined) return [{ op: 'unset', path }];
  const changes = smallChanges(pair, node, path, a, b);
  const small = changes && changes.length <= MOST_SMALL_CHANGES ? changes : undefined;
  // Where small changes do not give exactly `after` (another order, say), the whole value is set.
  const result = small && valueAt(applyChanges(pair.root, pair.before, small), path);
  return small && isSame(node, result, b) ? small : [{ op: 'set', path, value: b }];
}

/** Each copies the table that it changes: a map of sixty thousand would be copied as often. */
const MOST_SMALL_CHANGES = 1000;

function smallChanges(
  pair: Pair,
  node: Node,
  path: KeyPath,
  a: Json | undefined,
  b: Json,
): Change[] | undefined {
  if (Array.isArray(a) && Array.isArray(b)) return listChanges(path, asList(a), asList(b));
  if (!isTree(a) || !isTree(b)) return undefined;
  if (node.kind === 'shorthand') return keyChanges(pair, node.table, path, a, b);
  if (node.kind === 'table' || node.kind === 'map') return keyChanges(pair, node, path, a, b);
  return undefined;
}

function listChanges(path: KeyPath, a: readonly Json[], b: readonly Json[]): Change[] {
  const gone = a.filter((item) => !b.some((kept) => sameValue(kept, item)));
  const added = b.filter((item) => !a.some((present) => sameValue(present, item)));
  return [
    ...(gone.length > 0 ? [{ op: 'take' as const, path, value: gone }] : []),
    ...(added.length > 0 ? [{ op: 'append' as const, path, value: added }] : []),
  ];
}

function keyChanges(pair: Pair, node: TableNode | MapNode, path: KeyPath, a: Tree, b: Tree): Change[] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return keys.flatMap((key) => {
    const below = node.kind === 'map' ? node.value : node.fields[key];
    return below ? difference(pair, below, [...path, key]) : [];
  });
}

/** Whether values are equal and the entries of maps have the same order, in which menus print them. */
function isSame(node: Node, a: Json | undefined, b: Json | undefined): boolean {
  if (!sameValue(a, b)) return false;
  if (!isTree(a) || !isTree(b)) return true;
  if (node.kind === 'map') {
    const keys = Object.keys(a);
    if (!Object.keys(b).every((key, at) => key === keys[at])) return false;
    return keys.every((key) => isSame(node.value, a[key], b[key]));
  }
  const table = node.kind === 'shorthand' ? node.table : node;
  if (table.kind !== 'table') return true;
  return Object.entries(table.fields).every(([key, field]) => isSame(field, child(a, key), child(b, key)));
}
