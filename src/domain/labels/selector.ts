/** Which labelled things are meant: requirements that must all hold. */

import type { Labels } from './label.ts';
import { formatLabelValue } from './label-value.ts';

/** Empty means everything. */
export type Selector = readonly Requirement[];

/** As in kubectl, `differs` and `not-in` also hold where the key is absent. */
export type Requirement =
  | { readonly kind: 'present' | 'absent'; readonly key: string }
  | { readonly kind: 'equals' | 'differs'; readonly key: string; readonly value: string }
  | { readonly kind: 'in' | 'not-in'; readonly key: string; readonly values: readonly string[] };

export function matchesSelector(labels: Labels, selector: Selector): boolean {
  return selector.every((requirement) => holds(labels.get(requirement.key), requirement));
}

/** The selector as `parseSelector` reads it. */
export function formatSelector(selector: Selector): string {
  return selector.map(formatRequirement).join(',');
}

function holds(value: string | undefined, requirement: Requirement): boolean {
  switch (requirement.kind) {
    case 'present':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'equals':
      return value === requirement.value;
    case 'differs':
      return value !== requirement.value;
    case 'in':
      return value !== undefined && requirement.values.includes(value);
    case 'not-in':
      return value === undefined || !requirement.values.includes(value);
  }
}

function formatRequirement(requirement: Requirement): string {
  const { kind, key } = requirement;
  switch (kind) {
    case 'present':
      return key;
    case 'absent':
      return `!${key}`;
    case 'equals':
      return `${key}=${formatLabelValue(requirement.value)}`;
    case 'differs':
      return `${key}!=${formatLabelValue(requirement.value)}`;
    case 'in':
      return `${key} in (${requirement.values.map((value) => formatLabelValue(value)).join(',')})`;
    case 'not-in':
      return `${key} notin (${requirement.values.map((value) => formatLabelValue(value)).join(',')})`;
  }
}
