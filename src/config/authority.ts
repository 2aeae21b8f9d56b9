import type { Definition } from '../base/approvals.ts';
import { canonicalJson, type Json } from '../base/json.ts';
import type { Change } from './change.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import { strategyIn } from './merge.ts';
import { childNode, isProblem } from './schema/find-node.ts';
import type { Authority, Effect, Node, NumberNode } from './schema/node.ts';
import { isTree, nested, sameValue, type Tree, valueAt } from './tree.ts';

/**
 * The authority of a layer. `authority`: authority.toml in the user's data directory. `user`: the user's own config
 * file. `operator`: typed or exported by a person. `workspace`: files that may have arrived with a repository.
 * `conversation`: settings that the operator gave in a conversation. `foreign`: a file that another account owns or can
 * write to, and settings of a conversation that the operator did not give.
 */
export type LayerStanding = 'authority' | 'user' | 'operator' | 'workspace' | 'conversation' | 'foreign';

export interface RefusedKey {
  readonly path: KeyPath;
  readonly value: Json;
  readonly need: Need;
  readonly effect?: Effect | undefined;
  /** The value that stays in force. */
  readonly limit?: Json | undefined;
}

/**
 * Why a key is refused. `user`, `authority`: only that file may set it. `misplaced`: authority.toml may not set it.
 * `trusted`: the workspace must be trusted first. `owned`: the file must be the user's alone, and settings of a
 * conversation given by the user. `limit`: the value would have raised a limit.
 */
type Need = 'user' | 'authority' | 'misplaced' | 'trusted' | 'owned' | 'limit';

export interface Requester {
  readonly standing: LayerStanding;
  readonly isTrusted: boolean;
  /** The merged layers below; limits are compared with it. */
  readonly current: Tree;
}

/** The keys of a file that permit more than the defaults do, as definitions that can be signed. */
export function wideningDefinitions(root: Node, defaults: Tree, value: Tree): Definition[] {
  const requester = { standing: 'workspace', isTrusted: false, current: defaults } as const;
  const { refusals } = permitted(root, { op: 'merge', path: [], value }, requester);
  return refusals.map(({ path, value: refused }) => ({
    key: formatKeyPath(path),
    value: canonicalJson(refused),
  }));
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

const TOP: At = { path: [], by: 'any' };

interface Gate {
  readonly requester: Requester;
  refuse(refusal: RefusedKey): void;
}

interface At {
  readonly path: KeyPath;
  /** Inherited from the nodes above, as `effect` is. */
  readonly by: Authority;
  readonly effect?: Effect | undefined;
  readonly parent?: Node;
}

function keep(node: Node, value: Json, at: At, gate: Gate): Json | undefined {
  const { path } = at;
  const here = { by: highest(at.by, node.by), effect: effectOf(node, value) ?? at.effect };
  const need =
    isGroup(node, at.parent) && isTree(value) ? undefined : needed(node, value, { ...here, path }, gate);
  if (need) {
    const limit = need === 'limit' ? valueBelow(node, path, gate.requester) : undefined;
    gate.refuse({ path, value, need, effect: here.effect, limit });
    return undefined;
  }
  const inside = { ...here, parent: node };
  if (node.kind === 'list' && Array.isArray(value)) {
    const items: readonly Json[] = value;
    const kept = items.map((item, index) =>
      keep(node.item, item, { ...inside, path: [...path, String(index)] }, gate),
    );
    const left = kept.filter((item) => item !== undefined);
    return left.length === 0 && items.length > 0 ? undefined : left;
  }
  return isTree(value) ? keepTree(node, value, { ...inside, path }, gate) : value;
}

function keepTree(node: Node, value: Tree, at: At, gate: Gate): Json | undefined {
  const wrapped = node.kind === 'map' && node.hasStrategies ? strategyIn(value) : undefined;
  if (wrapped && wrapped !== 'unknown' && isTree(wrapped.value)) {
    const inner = keepEntries(node, wrapped.value, at, gate);
    return inner === undefined ? undefined : { strategy: wrapped.strategy, value: inner };
  }
  return keepEntries(node, value, at, gate);
}

function keepEntries(node: Node, value: Tree, at: At, gate: Gate): Json | undefined {
  const kept: Record<string, Json> = {};
  let refused = 0;
  // Without what it must have, the rest of an entry would only be a mistake.
  let isIncomplete = false;
  for (const [key, entry] of Object.entries(value)) {
    const below = childNode(node, key, at.path);
    // `changeProblems` reports a key that the schema does not have.
    const left = isProblem(below) ? entry : keep(below, entry, { ...at, path: [...at.path, key] }, gate);
    if (left !== undefined) kept[key] = left;
    else {
      refused += 1;
      isIncomplete ||= node.kind === 'table' && node.required?.includes(key) === true;
    }
  }
  return isIncomplete || (refused > 0 && Object.keys(kept).length === 0) ? undefined : kept;
}

/** Refusals name keys and whole entries of maps, never the table or map around them. */
function isGroup(node: Node, parent: Node | undefined): boolean {
  return node.kind === 'map' || (node.kind === 'table' && parent?.kind !== 'map');
}

const RANK: Record<Authority, number> = { any: 0, user: 1, authority: 2 };

function highest(inherited: Authority, own: Authority = 'any'): Authority {
  return RANK[own] > RANK[inherited] ? own : inherited;
}

function effectOf({ effect }: Node, value: Json): Effect | undefined {
  return typeof effect === 'function' ? effect(value) : effect;
}

type Judged = Pick<At, 'by' | 'effect' | 'path'>;

function needed(node: Node, value: Json, at: Judged, { requester }: Gate): Need | undefined {
  const { standing } = requester;
  if (standing === 'authority') return at.by === 'authority' ? undefined : 'misplaced';
  if (at.by !== 'any' && standing === 'foreign') return 'owned';
  if (at.by === 'authority' || (at.by === 'user' && standing !== 'user')) return at.by;
  if (node.kind === 'number' && node.onlyDownFor) return raisesLimit(node, value, at.path, requester);
  if (at.effect === undefined || at.effect === 'harmless') return undefined;
  if (standing === 'conversation') return at.effect === 'runs' ? 'trusted' : undefined;
  if (standing === 'foreign' || (standing === 'workspace' && !requester.isTrusted))
    return widens(node, value, at.path, requester);
  return undefined;
}

/** A value that is no wider than the default needs no trust; it may still be wider than what the user chose. */
function widens(node: Node, value: Json, path: KeyPath, requester: Requester): Need | undefined {
  if (node.narrows?.(value, valueBelow(node, path, requester))) return undefined;
  if (requester.standing === 'foreign') return 'owned';
  const standard = defaultOf(node);
  const isUsual = node.narrows !== undefined && (sameValue(value, standard) || node.narrows(value, standard));
  return isUsual ? 'limit' : 'trusted';
}

function raisesLimit(node: NumberNode, value: Json, path: KeyPath, requester: Requester): Need | undefined {
  const { standing } = requester;
  const isBound =
    standing === 'workspace' || standing === 'conversation' || standing === 'foreign'
      ? true
      : node.onlyDownFor === 'everyone' && standing !== 'user';
  const limit = valueBelow(node, path, requester);
  return isBound && typeof value === 'number' && typeof limit === 'number' && value > limit
    ? 'limit'
    : undefined;
}

function valueBelow(node: Node, path: KeyPath, { current }: Requester): Json | undefined {
  return valueAt(current, path) ?? defaultOf(node);
}

function defaultOf(node: Node): Json | undefined {
  return 'default' in node ? node.default : undefined;
}
