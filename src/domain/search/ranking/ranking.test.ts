import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuseScores } from './fuse-scores.ts';
import { confidence, type Signals } from './judge-relevance.ts';
import { selectTop } from './select-top.ts';

it('selects what sorting would select', () => {
  const scores = fc.array(
    fc.float({ min: -1, max: 3, noNaN: true, maxExcluded: true }).map((each) => Math.round(each)),
  );
  fc.assert(
    fc.property(fc.array(scores, { maxLength: 3 }), fc.nat(12), (fields, count) => {
      const all = fields.flatMap((each, field) => each.map((score, chunk) => ({ field, chunk, score })));
      const expected = all
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.field - b.field || a.chunk - b.chunk)
        .slice(0, count);
      expect(
        selectTop(
          fields.map((each) => Float32Array.from(each)),
          count,
        ),
      ).toEqual(expected);
    }),
  );
});

const WEIGHTS = { lexical: 0.6, dense: 0.4 };

it('divides each ranking by its best and weighs the two', () => {
  const fused = fuseScores(
    [
      { lexical: 10, dense: 0.2 },
      { lexical: 5, dense: 0.8 },
      { lexical: 0, dense: undefined },
      { lexical: 0, dense: -0.5 },
    ],
    WEIGHTS,
  );
  expect(fused.map(({ score }) => score)).toEqual([0.7, 0.7, 0, 0]);
  expect(fused[1]).toMatchObject({
    lexical: { raw: 5, normalised: 0.5, weight: 0.6 },
    dense: { raw: 0.8, normalised: 1, weight: 0.4 },
  });
});

it('lets one ranking stand alone where the other found nothing', () => {
  const words = fuseScores(
    [
      { lexical: 4, dense: undefined },
      { lexical: 2, dense: undefined },
    ],
    WEIGHTS,
  );
  expect(words.map(({ score }) => score)).toEqual([1, 0.5]);
  const vectors = fuseScores(
    [
      { lexical: 0, dense: 0.4 },
      { lexical: 0, dense: 0.1 },
    ],
    WEIGHTS,
  );
  expect(vectors.map(({ score }) => score)).toEqual([1, 0.25]);
  expect(fuseScores([{ lexical: 0, dense: undefined }], WEIGHTS)[0]?.score).toBe(0);
  expect(fuseScores([{ lexical: 1, dense: 1 }], { lexical: 0, dense: 0 })[0]?.score).toBe(0);
});

it('judges a chunk without a vector by its words alone', () => {
  const [fresh, older] = fuseScores(
    [
      { lexical: 10, dense: undefined },
      { lexical: 5, dense: 0.5 },
    ],
    WEIGHTS,
  );
  expect([fresh?.score, older?.score]).toEqual([1, 0.7]);
  expect(fresh).toMatchObject({ lexical: { weight: 1 }, dense: { weight: 0 } });
});

it('does not depend on the order of the candidates, and stays between 0 and 1', () => {
  const candidate = fc.record({
    lexical: fc.float({ min: 0, max: 50, noNaN: true }),
    dense: fc.option(fc.float({ min: -1, max: 1, noNaN: true }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(candidate, { minLength: 1 }), (candidates) => {
      const scores = fuseScores(candidates, WEIGHTS).map(({ score }) => score);
      for (const score of scores) expect(score >= 0 && score <= 1.000001).toBe(true);
      expect(fuseScores(candidates.toReversed(), WEIGHTS).map(({ score }) => score)).toEqual(
        scores.toReversed(),
      );
    }),
  );
});

const unlike: Signals = {
  coverage: 0.1,
  presence: 0.5,
  lexical: 0.9,
  dense: { cosine: 0.1, groupCosine: 0.05, everyday: 0.3 },
};

it('is confident where words and vectors agree, and not where neither does', () => {
  const like = {
    coverage: 0.8,
    presence: 1,
    lexical: 1,
    dense: { cosine: 0.6, groupCosine: 0.4, everyday: 0.2 },
  };
  expect(confidence(like)).toBeGreaterThan(0.9);
  expect(confidence(unlike)).toBeLessThan(0.1);
  expect(confidence({ ...like, dense: undefined })).toBeGreaterThan(0.5);
  expect(confidence({ ...unlike, dense: undefined })).toBeLessThan(0.5);
});

it('never keeps back what has every word of the question', () => {
  expect(confidence({ ...unlike, coverage: 1 })).toBe(1);
});
