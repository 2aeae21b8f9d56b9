import { expect, it } from 'vitest';
import { elapsed } from './time.ts';

const MINUTE = 60_000;

it.each([
  [0, 'just now'],
  [MINUTE - 1, 'just now'],
  [MINUTE, '1 minute ago'],
  [119 * MINUTE, '1 hour ago'],
  [47 * 60 * MINUTE, '1 day ago'],
  [48 * 60 * MINUTE, '2 days ago'],
  [-1, 'in less than a minute'],
  [-90 * MINUTE, 'in 1 hour'],
])('%i ms are %s', (since, words) => {
  expect(elapsed(1_000_000_000 - since, 1_000_000_000)).toBe(words);
});
