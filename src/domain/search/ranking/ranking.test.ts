import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuseScores } from './fuse-scores.ts';
import { type HitSignals, signalReader } from './hit-signals.ts';
import { IndexView } from './index-view.ts';
import { chanceOf } from './judge-relevance.ts';
import { outcomeOf, strengthOf } from './outcome.ts';
import { type AllScores, scoresOf } from './score-words.ts';
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
      expect(selectTop(withScores(fields), count)).toEqual(expected);
    }),
  );
});

function withScores(fields: readonly (readonly number[])[]): AllScores {
  const empty = fields.map(({ length }) => {
    const view = new IndexView();
    view.present = new Uint8Array(length);
    view.lengths = new Uint16Array(length);
    return { view, allowed: view.present, longestList: 0 };
  });
  const filled = scoresOf(empty);
  for (const [at, { scores }] of filled.fields.entries()) scores.set(fields[at] ?? []);
  return filled;
}

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

const unlike: HitSignals = {
  coverage: 0.1,
  information: 0.1,
  presence: 0.5,
  strength: 0.05,
  names: 0,
  together: 0.1,
  length: 1.5,
  crowd: 6,
  cosine: 0.1,
};
const like: HitSignals = {
  ...unlike,
  coverage: 0.8,
  information: 0.8,
  presence: 1,
  strength: 0.5,
  names: 0.3,
  together: 0.6,
  cosine: 0.6,
};

it('gives a hit a chance by its words and its vector', () => {
  expect(chanceOf(like)).toBeGreaterThan(0.7);
  expect(chanceOf(unlike)).toBeLessThan(0.07);
  expect(chanceOf({ ...like, cosine: undefined })).toBeGreaterThan(0.4);
  expect(chanceOf({ ...unlike, cosine: undefined })).toBeLessThan(0.1);
});

it('takes what has every word of the question in one place for a fair hit at least', () => {
  expect(chanceOf({ ...unlike, coverage: 1, together: 1 })).toBe(0.4);
  expect(chanceOf({ ...unlike, coverage: 1, names: 1 })).toBeGreaterThanOrEqual(0.4);
  expect(chanceOf({ ...unlike, coverage: 1 })).toBeLessThan(0.4);
});

it.each([
  [0.7, 'answers', 'strong'],
  [0.4, 'answers', 'fair'],
  [0.39, 'nearest', 'weak'],
  [0.05, 'nearest', 'weak'],
  [0.04, 'nothing', 'weak'],
])('calls a best chance of %s %s and %s', (chance, outcome, strength) => {
  expect([outcomeOf(chance), strengthOf(chance)]).toEqual([outcome, strength]);
});

it('reads signals that say the same in an index of any size', () => {
  const word = (term: string, chunkCount: number) => ({
    word: term,
    alternatives: [{ term, factor: 1 }],
    rarity: 2,
    chunkCount,
  });
  const words = [word('rotat', 3), word('quokka', 1), word('the', 90), word('absent', 0)];
  const chunk = {
    number: 1,
    ordinal: 0,
    source: 'kb',
    id: 'keys',
    kind: 'subject' as const,
    topic: '',
    path: 'keys.md',
    title: 'Quokka keys',
    hash: '',
    meta: {},
    heading: '',
    body: `Rotate it. ${'filler '.repeat(40)} the quokka`,
    firstLine: 1,
    lastLine: 1,
  };
  const part = (raw: number, weight: number) => ({ raw, normalised: 1, weight });
  const ranked = {
    field: 0,
    chunk: 1,
    covered: 6,
    score: 1,
    lexical: part(4.4, 0.65),
    dense: part(0.5, 0.35),
  };
  const signalsOf = signalReader({ words, isMeasured: true, chunkCount: 100 });
  const signals = signalsOf(ranked, chunk);
  // "the" says next to nothing; the two rare words stand too far apart to be together.
  expect(signals).toMatchObject({
    coverage: 0.75,
    strength: 0.25,
    length: Math.log(4.05),
    crowd: Math.log(100),
  });
  expect(signals.information).toBeCloseTo(2.05 / 3.05);
  expect(signals.presence).toBeCloseTo(2.05 / 3.05);
  expect(signals.names).toBeCloseTo(1 / 3.05);
  expect(signals.together).toBeCloseTo(1.05 / 3.05);
  expect(signals.cosine).toBe(0.5);
  const unmeasured = signalReader({ words, isMeasured: false, chunkCount: 100 });
  expect(unmeasured(ranked, chunk).cosine).toBeUndefined();
  const inAnotherAlphabet = { ...chunk, body: 'Ключи меняются каждые 90 дней: `rotate`.' };
  expect(signalsOf(ranked, inAnotherAlphabet).cosine).toBeUndefined();
  expect(signalsOf(ranked, { ...chunk, body: 'Schlüssel für 2026: 12,400 €' }).cosine).toBe(0.5);
});
