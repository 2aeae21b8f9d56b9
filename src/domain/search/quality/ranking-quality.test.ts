import { expect, it } from 'vitest';
import { meanQuality, percentile, rankingQuality } from './ranking-quality.ts';

it('gives full marks to what was expected, best first', () => {
  const relevant = new Map([
    ['a', 2],
    ['b', 1],
  ]);
  expect(rankingQuality(relevant, ['a', 'b', 'c'])).toEqual({
    ndcg10: 1,
    recall10: 1,
    recall100: 1,
    mrr10: 1,
  });
});

it('discounts by the place, and looks no further than it says', () => {
  const ranked = Array.from({ length: 100 }, (_, at) => `x${at}`);
  const at = (place: number) => rankingQuality(new Map([['a', 1]]), ranked.with(place - 1, 'a'));
  expect(at(3)).toEqual({ ndcg10: 0.5, recall10: 1, recall100: 1, mrr10: 1 / 3 });
  expect(at(10).mrr10).toBe(0.1);
  expect(at(11)).toEqual({ ndcg10: 0, recall10: 0, recall100: 1, mrr10: 0 });
  expect(rankingQuality(new Map([['a', 1]]), ranked)).toEqual({
    ndcg10: 0,
    recall10: 0,
    recall100: 0,
    mrr10: 0,
  });
});

it('compares with the best ten there could be', () => {
  const relevant = new Map(Array.from({ length: 20 }, (_, at) => [`a${at}`, 1]));
  const quality = rankingQuality(relevant, [...relevant.keys()].slice(0, 10));
  expect(quality).toEqual({ ndcg10: 1, recall10: 0.5, recall100: 0.5, mrr10: 1 });
});

it('averages, and of nothing is nothing', () => {
  const one = { ndcg10: 1, recall10: 1, recall100: 1, mrr10: 1 };
  const none = { ndcg10: 0, recall10: 0, recall100: 0, mrr10: 0 };
  expect(meanQuality([one, none, none, one])).toEqual({
    ndcg10: 0.5,
    recall10: 0.5,
    recall100: 0.5,
    mrr10: 0.5,
  });
  expect(meanQuality([])).toEqual(none);
});

it('takes percentiles by rank', () => {
  expect([0, 0.5, 0.95, 1].map((share) => percentile([4, 1, 3, 2], share))).toEqual([1, 2, 4, 4]);
  expect(percentile([], 0.5)).toBe(0);
});
