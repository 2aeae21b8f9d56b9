/** Changes of the config, and applying them. Layers, `--cfg` and conversation deltas are lists of changes. */

import type { Json } from '../base/json.ts';
import { problemsIn } from './check-value.ts';
import type { KeyPath } from './key-path.ts';
import { appended, asList, mergeValues } from './merge.ts';
import { isProblem, nodeAt, type Problem } from './schema/find-node.ts';
import type { Node } from './schema/node.ts';
import { isTree, sameValue, type Tree, valueAt, withValueAt } from './tree.ts';

export type Change =
  /** Merges as the schema defines: accumulated lists grow, tables and maps merge. */
  | { readonly op: 'merge'; readonly path: KeyPath; readonly value: Json }
  /** Replaces the value, lists and maps included. */
  | { readonly op: 'set'; readonly path: KeyPath; readonly value: Json }
  /** Adds elements to a list, or entries to a map. */
  | { readonly op: 'append'; readonly path: KeyPath; readonly value: Json }
  | { readonly op: 'take'; readonly path: KeyPath; readonly value: readonly Json[] }
  /** Removes the key, so that its default applies. */
  | { readonly op: 'unset'; readonly path: KeyPath };

/** The change must have no `changeProblems`. */
export function applyChange(root: Node, tree: Tree, change: Change): Tree {
  const node = nodeAt(root, change.path);
  if (isProblem(node)) return tree;
  const before = valueAt(tree, change.path);
  switch (change.op) {
    case 'set':
      return withValueAt(tree, change.path, change.value);
    case 'unset':
      return withValueAt(tree, change.path, undefined);
    case 'merge':
      return withValueAt(tree, change.path, mergeValues(node, before, change.value));
    case 'append':
      return withValueAt(tree, change.path, appendValue(node, before, change.value));
    case 'take': {
      const left = asList(before).filter((item) => !change.value.some((gone) => sameValue(gone, item)));
      return withValueAt(tree, change.path, left);
    }
  }
}

export function applyChanges(root: Node, tree: Tree, changes: readonly Change[]): Tree {
  return changes.reduce((current, change) => applyChange(root, current, change), tree);
}

function appendValue(node: Node, before: Json | undefined, value: Json): Json {
  if (node.kind === 'list') return appended(node, before, asList(value));
  return mergeValues(node, before, value);
}

export function changeProblems(root: Node, change: Change): Problem[] {
  const node = nodeAt(root, change.path);
  if (isProblem(node)) return [node];
  if (change.op === 'unset') return [];
  if (change.op === 'take') {
    return node.kind === 'list' ? [] : [{ path: change.path, message: 'only a list has elements to take' }];
  }
  return problemsIn(node, change.value, change.path);
}

/** Reads a change from JSON that another process (or another version) wrote; undefined when it is not a change. */
export function parseChange(json: unknown): Change | undefined {
  if (!isTree(json) || !Array.isArray(json.path)) return undefined;
  const path = json.path.filter((segment): segment is string => typeof segment === 'string');
  if (path.length !== json.path.length) return undefined;
  if (json.op === 'unset') return { op: 'unset', path };
  if (json.value === undefined) return undefined;
  if (json.op === 'take')
    return Array.isArray(json.value) ? { op: 'take', path, value: json.value } : undefined;
  if (json.op === 'set' || json.op === 'merge' || json.op === 'append') {
    return { op: json.op, path, value: json.value };
  }
  return undefined;
}
