import { expect, it } from 'vitest';
import { type Aging, freshnessAt } from './topic.ts';

const DAY = 86_400_000;
const FETCHED = 1_750_000_000_000;

it.each<[string, Partial<Aging>, number, object]>([
  ['just fetched', {}, 0, { status: 'active', isStale: false }],
  ['its last day', {}, 30 * DAY, { status: 'active', isStale: false }],
  ['the last millisecond of its last day', {}, 31 * DAY - 1, { status: 'active', isStale: false }],
  ['a whole day more', {}, 31 * DAY, { status: 'stale', isStale: true, staleSince: FETCHED + 31 * DAY }],
  ['a year later', {}, 365 * DAY, { status: 'stale', isStale: true, staleSince: FETCHED + 31 * DAY }],
  ['never by age', { maxAgeDays: 0 }, 10_000 * DAY, { status: 'active', isStale: false }],
  ['fetched in the future', {}, -5 * DAY, { status: 'active', isStale: false }],
  ['nobody knows when', { fetchedAt: undefined }, 10_000 * DAY, { status: 'active', isStale: false }],
  [
    'one day is allowed, and a half has passed since',
    { maxAgeDays: 1 },
    1.5 * DAY,
    { status: 'active', isStale: false },
  ],
  [
    'obsolete the moment it was fetched',
    { status: 'obsolete' },
    0,
    { status: 'obsolete', isStale: true, staleSince: FETCHED },
  ],
  [
    'obsolete, and never stale by age',
    { status: 'obsolete', maxAgeDays: 0, obsoleteSince: FETCHED + DAY },
    2 * DAY,
    { status: 'obsolete', isStale: true, staleSince: FETCHED + DAY },
  ],
  [
    'obsolete, and too old besides',
    { status: 'obsolete', obsoleteSince: FETCHED + DAY },
    100 * DAY,
    { status: 'obsolete', isStale: true, staleSince: FETCHED + DAY },
  ],
  [
    'obsolete, and nobody knows since when',
    { status: 'obsolete', fetchedAt: undefined },
    0,
    { status: 'obsolete', isStale: true },
  ],
])('%s', (_, aging, later, expected) => {
  const kept: Aging = { status: 'active', fetchedAt: FETCHED, maxAgeDays: 30, ...aging };
  expect(freshnessAt(kept, FETCHED + later)).toEqual(expected);
});
