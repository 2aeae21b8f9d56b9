import { expect, it } from 'vitest';
import { didYouMean, editDistance, similarNames } from './similar.ts';

it.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['kitten', 'sitting', 3],
  ['serach', 'search', 1],
  ['', 'abc', 3],
])('%j and %j are %i apart', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

it('offers the nearest names first, and nothing when nothing is near', () => {
  expect(similarNames('serach', ['search', 'reach', 'init'])).toEqual(['search', 'reach']);
  expect(didYouMean('serach', ['search', 'reach'])).toBe('Did you mean search or reach?');
  expect(didYouMean('zzz', ['search'])).toBeUndefined();
  expect(similarNames('operations/deplyo', ['operations/backups', 'operations/deploy'])).toEqual([
    'operations/deploy',
  ]);
});
