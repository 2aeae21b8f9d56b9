import { expect, it } from 'vitest';
import { Pollable, poll } from './streams.ts';

it('polls ten thousand at once, and no more', () => {
  const most = Array.from({ length: 10_000 }, () => new Pollable());
  expect(poll(most)).toHaveLength(10_000);
  expect(() => poll([...most, new Pollable()])).toThrow('poll of too many');
  expect(() => poll([])).toThrow('poll of nothing');
});
