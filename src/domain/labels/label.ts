import { compareCodePoints } from '../../base/text.ts';
import { formatLabelValue } from './label-value.ts';

/** By key. An empty value is a bare label. */
export type Labels = ReadonlyMap<string, string>;

export type LabelChange =
  | { readonly kind: 'set'; readonly key: string; readonly value: string }
  | { readonly kind: 'remove'; readonly key: string };

/** Applies the changes left to right; ordered by key. */
export function changeLabels(labels: Labels, changes: Iterable<LabelChange>): Labels {
  const changed = new Map(labels);
  for (const change of changes) {
    if (change.kind === 'set') changed.set(change.key, change.value);
    else changed.delete(change.key);
  }
  return new Map([...changed].sort(([a], [b]) => compareCodePoints(a, b)));
}

export function equalLabels(a: Labels, b: Labels): boolean {
  return labelChanges(a, b).length === 0;
}

/** The fewest changes from `before` to `after`, ordered by key. */
export function labelChanges(before: Labels, after: Labels): LabelChange[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort(compareCodePoints);
  return keys.flatMap((key): LabelChange[] => {
    const value = after.get(key);
    if (value === before.get(key)) return [];
    return [value === undefined ? { kind: 'remove', key } : { kind: 'set', key, value }];
  });
}

/** `key=value`, or `key` alone for an empty value. */
export function formatLabel(key: string, value: string): string {
  return value === '' ? key : `${key}=${formatLabelValue(value)}`;
}
