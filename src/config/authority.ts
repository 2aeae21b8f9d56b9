/** Decides who may set which key, and reduces the change of a layer to its permitted part. */

import type { Json } from '../base/json.ts';
import type { Change } from './change.ts';
import type { KeyPath } from './key-path.ts';
import { strategyIn } from './merge.ts';
import { childNode, isProblem } from './schema/find-node.ts';
import type { Authority, Node, NumberNode } from './schema/node.ts';
import { child, isTree, nested, type Tree, valueAt } from './tree.ts';

/**
 * The authority of a layer. `user`: the user's own config file. `operator`: typed or exported by a person.
 * `workspace`: files that may have arrived with a repository. `conversation`: a conversation's own config.
 */
export type LayerStanding = 'user' | 'operator' | 'workspace' | 'conversation';

export interface RefusedKey {
  readonly path: KeyPath;
  /** The refused value. */
  readonly value: Json;
  /** `user` and `trusted`: the authority that was needed. `limit`: the value would have raised a limit. */
  readonly need: 'user' | 'trusted' | 'limit';
  readonly limit?: number;
}

export interface Requester {
  readonly standing: LayerStanding;
  readonly isTrusted: boolean;
  /** The merged layers below; limits are compared with it. */
  readonly current: Tree;
}

/** Returns the permitted part of a change (undefined when there is none) and the refused keys. */
export function permitted(
  root: Node,
  change: Change,
  requester: Requester,
): { readonly change: Change | undefined; readonly refusals: readonly RefusedKey[] } {
  const refusals: RefusedKey[] = [];
  const gate: Gate = { requester, refuse: (refusal) => refusals.push(refusal) };
  if (change.op === 'unset' || change.op === 'take') {
    const kept = keep(root, nested(change.path, null), TOP, gate);
    return { change: kept === undefined ? undefined : change, refusals };
  }
  const kept = keep(root, nested(change.path, change.value), TOP, gate);
  const value = valueAt(kept, change.path);
  return { change: value === undefined ? undefined : { ...change, value }, refusals };
}

const TOP: At = { path: [], inherited: 'any' };

interface Gate {
  readonly requester: Requester;
  refuse(refusal: RefusedKey): void;
}

interface At {
  readonly path: KeyPath;
  readonly inherited: Authority;
  readonly parent?: Node;
}

function keep(node: Node, value: Json, at: At, gate: Gate): Json | undefined {
  const { path } = at;
  const need = needed(node, value, at.inherited);
  if (!isAllowed(need, gate.requester) && !(isGroup(node, at.parent) && isTree(value))) {
    gate.refuse({ path, value, need: need === 'user' ? 'user' : 'trusted' });
    return undefined;
  }
  if (node.kind === 'number' && typeof value === 'number') return keepLimit(node, value, path, gate);
  if (node.kind === 'list' && Array.isArray(value)) {
    const items: readonly Json[] = value;
    const kept = items.map((item, index) =>
      keep(node.item, item, { path: [...path, String(index)], inherited: need, parent: node }, gate),
    );
    const left = kept.filter((item) => item !== undefined);
    return left.length === 0 && items.length > 0 ? undefined : left;
  }
  return isTree(value) ? keepTree(node, value, path, need, gate) : value;
}

function keepTree(node: Node, value: Tree, path: KeyPath, need: Authority, gate: Gate): Json | undefined {
  const wrapped = node.kind === 'map' && node.hasStrategies ? strategyIn(value) : undefined;
  if (wrapped && wrapped !== 'unknown' && isTree(wrapped.value)) {
    const inner = keepEntries(node, wrapped.value, path, need, gate);
    return inner === undefined ? undefined : { strategy: wrapped.strategy, value: inner };
  }
  return keepEntries(node, value, path, need, gate);
}

function keepEntries(node: Node, value: Tree, path: KeyPath, need: Authority, gate: Gate): Json | undefined {
  const kept: Record<string, Json> = {};
  let refused = 0;
  for (const [key, entry] of Object.entries(value)) {
    const below = childNode(node, key, path);
    // `changeProblems` reports a key that the schema does not have.
    const left = isProblem(below)
      ? entry
      : keep(below, entry, { path: [...path, key], inherited: need, parent: node }, gate);
    if (left === undefined) refused += 1;
    else kept[key] = left;
  }
  return refused > 0 && Object.keys(kept).length === 0 ? undefined : kept;
}

/** Refusals name keys and whole entries of maps, never the table or map around them. */
function isGroup(node: Node, parent: Node | undefined): boolean {
  return node.kind === 'map' || (node.kind === 'table' && parent?.kind !== 'map');
}

const RANK: Record<Authority, number> = { any: 0, trusted: 1, user: 2 };

function needed(node: Node, value: Json, inherited: Authority): Authority {
  const own = node.by ?? 'any';
  const raised: Authority = node.trustedWhen?.(value) ? 'trusted' : 'any';
  return [inherited, own, raised].reduce((most, each) => (RANK[each] > RANK[most] ? each : most));
}

function isAllowed(need: Authority, { standing, isTrusted }: Requester): boolean {
  if (need === 'any' || standing === 'user') return true;
  if (need === 'user') return false;
  return standing === 'operator' || (standing === 'workspace' && isTrusted);
}

function keepLimit(node: NumberNode, value: number, path: KeyPath, gate: Gate): Json | undefined {
  const { standing, current } = gate.requester;
  const isBound =
    (node.onlyDownFor === 'workspace' && (standing === 'workspace' || standing === 'conversation')) ||
    (node.onlyDownFor === 'everyone' && standing !== 'user');
  const limit = path.reduce<Json | undefined>(child, current) ?? node.default;
  if (!isBound || typeof limit !== 'number' || value <= limit) return value;
  gate.refuse({ path, value, need: 'limit', limit });
  return undefined;
}
