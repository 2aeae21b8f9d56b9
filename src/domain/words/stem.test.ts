import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stem } from './stem.ts';

it.each([
  [['index', 'indexes', 'indexed', 'indexing'], 'index'],
  [['connect', 'connected', 'connecting', 'connection', 'connections'], 'connect'],
  [['hop', 'hopped', 'hopping'], 'hop'],
  [['hope', 'hoped', 'hoping', 'hopes'], 'hope'],
  [['pony', 'ponies'], 'poni'],
  [['agree', 'agreed'], 'agr'],
  [['relational', 'relate'], 'relat'],
  [['generalization', 'generalize', 'general'], 'gener'],
  [['hopefulness'], 'hope'],
  [['controlling', 'controlled'], 'control'],
  [['adjustment', 'adjustable', 'adjusts'], 'adjust'],
  [['adoption', 'adopted'], 'adopt'],
  [['sky'], 'sky'],
])('%j share a stem', (words, expected) => {
  expect(words.map(stem)).toEqual(words.map(() => expected));
});

it('leaves alone what is no English word', () => {
  for (const word of ['is', 'v2', '日本', 'über', 'a_b', '']) expect(stem(word)).toBe(word);
});

it('changes nothing when it is done again, and never takes everything', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
      const once = stem(word);
      expect(stem(once)).toBe(once);
      expect(once.length).toBeGreaterThan(0);
    }),
  );
});
