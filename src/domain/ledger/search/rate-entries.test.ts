import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Entry, Feedback } from '../entry/entry.ts';
import { rateEntries } from './rate-entries.ts';

const NONE: Feedback = { retrieved: 0, helped: 0, hurt: 0 };
const entry = (id: string, feedback = NONE): Entry => ({
  ...{ id, version: 1, createdAt: 0, writtenAt: 0, updatedAt: 0, title: id, text: id, provenance: 'cmd:x' },
  ...{
    claimId: undefined,
    claimStance: undefined,
    mergeKey: undefined,
    status: 'active',
    ttlPolicy: 'persistent',
    expires: undefined,
  },
  ...{ supersedes: undefined, supersededBy: undefined, tags: [], labels: new Map(), citations: [], feedback },
});
const rate = (entries: Entry[], scores: number[], cosines?: (number | undefined)[]) =>
  rateEntries(
    entries,
    entries.map(({ id }, at) => ({ id, score: scores[at] ?? 0 })),
    cosines,
  ).map(({ score, explanation }) => [Number(score.toFixed(3)), explanation.words, explanation.meaning]);

it('adds words and meaning, each of the best there is; words alone where nothing can be compared', () => {
  const entries = [entry('a'), entry('b')];
  expect(rate(entries, [8, 4], [0.2, 0.4])).toEqual([
    [0.825, 1, 0.5],
    [0.675, 0.5, 1],
  ]);
  expect(rate(entries, [8, 4])).toEqual([
    [1, 1, null],
    [0.5, 0.5, null],
  ]);
  expect(rate(entries, [8, 4], [-0.3, undefined])).toEqual([
    [1, 1, null],
    [0.5, 0.5, null],
  ]);
});

it('lets what helped pass an equal, and never what is better by more than a fifth', () => {
  const votes = fc.nat(1_000_000);
  fc.assert(
    fc.property(votes, votes, fc.double({ min: 0.01, max: 0.81, noNaN: true }), (helped, hurt, worse) => {
      const liked = entry('liked', { retrieved: helped, helped, hurt: 0 });
      const disliked = entry('disliked', { retrieved: hurt, helped: 0, hurt });
      const [equal = 0, other = 0] = rateEntries(
        [liked, disliked],
        [
          { id: 'liked', score: 1 },
          { id: 'disliked', score: 1 },
        ],
        undefined,
      ).map(({ score }) => score);
      expect(equal).toBeGreaterThanOrEqual(other);
      const [low = 0, high = 0] = rateEntries(
        [liked, disliked],
        [
          { id: 'liked', score: worse },
          { id: 'disliked', score: 1 },
        ],
        undefined,
      ).map(({ score }) => score);
      expect(low).toBeLessThan(high);
    }),
  );
});
