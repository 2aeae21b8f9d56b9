/** `{ strategy = "…", value = { … } }`: how a layer's entries meet those below. Both keys must be there. */

import type { Json } from '../base/json.ts';
import { isTree, type Tree } from './tree.ts';

/**
 * deep_merge: entries merge key by key. merge: an entry replaces its namesake whole.
 * keep: only names that are not there yet are added. replace: these entries alone remain.
 */
export type MapStrategy = 'deep_merge' | 'merge' | 'keep' | 'replace';

const STRATEGIES: readonly unknown[] = ['deep_merge', 'merge', 'keep', 'replace'];

export function strategyIn(
  value: unknown,
): { readonly strategy: MapStrategy; readonly value: Json } | 'unknown' | undefined {
  if (!isTree(value) || Object.keys(value).length !== 2) return undefined;
  if (!Object.hasOwn(value, 'strategy') || !Object.hasOwn(value, 'value')) return undefined;
  const inner = value.value;
  // Two labels may themselves be called "strategy" and "value"; the wrapper's value is always a table.
  if (!isTree(inner) || typeof value.strategy !== 'string') return undefined;
  return STRATEGIES.includes(value.strategy)
    ? { strategy: value.strategy as MapStrategy, value: inner }
    : 'unknown';
}

export function mergeByStrategy(
  strategy: MapStrategy,
  low: Tree,
  high: Tree,
  mergeEntry: (low: Json | undefined, high: Json) => Json,
): Tree {
  if (strategy === 'replace') return high;
  const merged: Record<string, Json> = { ...low };
  for (const [key, entry] of Object.entries(high)) {
    const before = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (strategy === 'keep' && before !== undefined) continue;
    merged[key] = strategy === 'deep_merge' ? mergeEntry(before, entry) : entry;
  }
  return merged;
}
