import type { Json } from '../base/json.ts';
import { permitted } from './authority.ts';
import { applyChange, type Change, changeProblems } from './change.ts';
import { defaultTree } from './defaults.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import type { Layer, Origin } from './resolve.ts';
import { SCHEMA } from './schema.ts';
import { isTree, nested, sameValue, type Tree, valueAt } from './tree.ts';

/** Origins by dotted key; a list has one for each element. A key without an origin has its default. */
export type Origins = ReadonlyMap<string, Origin | readonly Origin[]>;

const DEFAULT: Origin = { kind: 'default', name: 'default' };

/** `isTrusted` must be as it was for `resolveConfig`. */
export function originsOf(layers: readonly Layer[], isTrusted: boolean): Origins {
  const origins = new Map<string, Origin | readonly Origin[]>();
  let tree = defaultTree(SCHEMA);
  let belowWorkspace = tree;
  for (const { origin, standing, changes } of layers) {
    for (const change of changes) {
      if (changeProblems(SCHEMA, change).length > 0) continue;
      const current = standing === 'workspace' ? belowWorkspace : tree;
      const kept = permitted(SCHEMA, change, { standing, isTrusted, current }).change;
      if (!kept) continue;
      const after = applyChange(SCHEMA, tree, kept);
      record(origins, { before: tree, after, change: kept, origin });
      tree = after;
      if (standing !== 'workspace') belowWorkspace = tree;
    }
  }
  return origins;
}

interface Step {
  readonly before: Tree;
  readonly after: Tree;
  readonly change: Change;
  readonly origin: Origin;
}

function record(origins: Map<string, Origin | readonly Origin[]>, step: Step): void {
  const stated = 'value' in step.change ? nested(step.change.path, step.change.value) : undefined;
  for (const { path, value } of leaves(valueAt(step.after, step.change.path), step.change.path)) {
    const key = formatKeyPath(path);
    const before = valueAt(step.before, path);
    if (Array.isArray(value)) origins.set(key, elementOrigins(origins.get(key), before, value, step.origin));
    else if (valueAt(stated, path) !== undefined || !sameValue(before, value)) origins.set(key, step.origin);
  }
}

/** An element that existed before keeps its origin. */
function elementOrigins(
  known: Origin | readonly Origin[] | undefined,
  before: Json | undefined,
  after: readonly Json[],
  origin: Origin,
): readonly Origin[] {
  const earlier: readonly Json[] = Array.isArray(before) ? before : [];
  const origins = Array.isArray(known) ? (known as readonly Origin[]) : earlier.map(() => DEFAULT);
  return after.map((item) => {
    const at = earlier.findIndex((present) => sameValue(present, item));
    return (at === -1 ? undefined : origins[at]) ?? origin;
  });
}

/** Lists count as leaves; an empty table has none. */
export function leaves(value: Json | undefined, path: KeyPath): { path: KeyPath; value: Json }[] {
  if (value === undefined) return [];
  if (!isTree(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]));
}
