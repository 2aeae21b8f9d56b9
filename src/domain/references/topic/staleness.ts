/** Whether what was fetched is still good. */

import type { KeptStatus } from './topic.ts';

export type TopicStatus = 'active' | 'stale' | 'obsolete';

export interface Freshness {
  readonly status: TopicStatus;
  readonly isStale: boolean;
  /** When it became so, as far as that is known. */
  readonly staleSince?: number;
}

export interface Aging {
  readonly status: KeptStatus;
  readonly obsoleteSince?: number;
  readonly fetchedAt: number | undefined;
  readonly maxAgeDays: number;
}

const DAY_MS = 86_400_000;

/** Obsolete is always stale; a greatest age of 0 is never reached; otherwise whole days count. */
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

/** Whole days; what lies in the future is not a day old. */
export function ageInDays(then: number, now: number): number {
  return Math.max(0, Math.floor((now - then) / DAY_MS));
}
