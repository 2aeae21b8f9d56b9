/** How a higher layer's value meets a lower one. */

import type { Json } from '../base/json.ts';
import { mergeByStrategy, strategyIn } from './map-strategy.ts';
import type { ListNode, Node, ShorthandNode, TableNode } from './node.ts';
import { isTree, sameValue, type Tree } from './tree.ts';

/** Both fit `node`. Merging the same value twice changes nothing the second time. */
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

/** Adds to the end. In a list that accumulates, what is there already is not added again. */
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

/** A text and a table merge only where the text stands for a table of the same kind. */
function mergeShorthand(node: ShorthandNode, low: Json | undefined, high: Json): Json {
  if (!node.expand || low === undefined) return high;
  if (typeof low === 'string' && typeof high === 'string') return high;
  const expand = (value: Json) => (typeof value === 'string' ? node.expand?.(value) : value);
  const below = expand(low);
  const above = expand(high);
  return isTree(below) && isTree(above) ? mergeTables(node.table, below, above) : high;
}
