/** Freshness of a topic. */

import type { KeptStatus } from './topic.ts';

export type TopicStatus = 'active' | 'stale' | 'obsolete';

export interface Freshness {
  readonly status: TopicStatus;
  readonly isStale: boolean;
  /** When it became stale, if known. */
  readonly staleSince?: number;
}

export interface Aging {
  readonly status: KeptStatus;
  readonly obsoleteSince?: number;
  readonly fetchedAt: number | undefined;
  readonly maxAgeDays: number;
}

const DAY_MS = 86_400_000;

/** Obsolete is always stale; a maximum age of 0 never expires; otherwise whole days count. */
export function freshnessAt(aging: Aging, now: number): Freshness {
  const { fetchedAt, maxAgeDays } = aging;
  if (aging.status === 'obsolete') {
    const since = aging.obsoleteSince ?? fetchedAt;
    return { status: 'obsolete', isStale: true, ...(since !== undefined && { staleSince: since }) };
  }
  if (maxAgeDays === 0 || fetchedAt === undefined || ageInDays(fetchedAt, now) <= maxAgeDays)
    return { status: 'active', isStale: false };
  return { status: 'stale', isStale: true, staleSince: fetchedAt + (maxAgeDays + 1) * DAY_MS };
}

/** Whole days; never negative. */
export function ageInDays(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / DAY_MS));
}
