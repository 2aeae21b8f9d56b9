import type { Json } from '../base/json.ts';
import type { ListNode, Node, ShorthandNode, TableNode } from './schema/node.ts';
import { isTree, sameValue, type Tree } from './tree.ts';

/** Both values must fit `node`. Merging the same value again changes nothing. */
export function mergeValues(node: Node, low: Json | undefined, high: Json): Json {
  switch (node.kind) {
    case 'list':
      return node.merge === 'append' ? appended(node, low, asList(high)) : high;
    case 'table':
      return isTree(low) && isTree(high) ? mergeTables(node, low, high) : high;
    case 'map': {
      const wrapped = node.hasStrategies ? strategyIn(high) : undefined;
      const { strategy, value } =
        wrapped && wrapped !== 'unknown' ? wrapped : { strategy: 'deep_merge' as const, value: high };
      const entries = isTree(value) ? value : {};
      return mergeByStrategy(strategy, isTree(low) ? low : {}, entries, (before, entry) =>
        mergeValues(node.value, before, entry),
      );
    }
    case 'shorthand':
      return mergeShorthand(node, low, high);
    default:
      return high;
  }
}

/** Adds to the end. An accumulated list gets no element twice. */
export function appended(node: ListNode, low: Json | undefined, added: readonly Json[]): Json {
  const items = [...asList(low)];
  for (const item of added) {
    if (node.merge === 'append' && items.some((present) => sameValue(present, item))) continue;
    items.push(item);
  }
  return items;
}

export function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function mergeTables(node: TableNode, low: Tree, high: Tree): Tree {
  const merged: Record<string, Json> = { ...low };
  for (const [key, value] of Object.entries(high)) {
    const field = node.fields[key];
    merged[key] = field ? mergeValues(field, low[key], value) : value;
  }
  return merged;
}

/** A text and a table merge only where the text can be expanded to a table. */
function mergeShorthand(node: ShorthandNode, low: Json | undefined, high: Json): Json {
  if (!node.expand || low === undefined) return high;
  if (typeof low === 'string' && typeof high === 'string') return high;
  const expand = (value: Json) => (typeof value === 'string' ? node.expand?.(value) : value);
  const below = expand(low);
  const above = expand(high);
  return isTree(below) && isTree(above) ? mergeTables(node.table, below, above) : high;
}

/**
 * How the entries of a higher map are merged into a lower one. deep_merge: entries merge key by key. merge: an entry
 * replaces the whole entry of the same name. keep: only new names are added. replace: only the higher entries remain.
 */
type MapStrategy = 'deep_merge' | 'merge' | 'keep' | 'replace';

const STRATEGIES: readonly unknown[] = ['deep_merge', 'merge', 'keep', 'replace'];

/** Reads `{ strategy = "…", value = { … } }`; undefined for a table without exactly these keys. */
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

function mergeByStrategy(
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
