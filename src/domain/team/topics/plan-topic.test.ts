import { expect, it } from 'vitest';
import { planTopic, type TopicState } from './plan-topic.ts';

const state = (digest: string, fetchedAt?: number, aboutDigest = 'about'): TopicState => ({
  digest,
  aboutDigest,
  fetchedAt,
});
const plan = (
  from: TopicState,
  to?: TopicState,
  base?: { digest: string; begun?: string },
  replaces = false,
) => planTopic({ from, to, base, replaces }).what;

it('copies what only one side has changed since both were equal', () => {
  expect(plan(state('a'))).toBe('imported');
  expect(plan(state('a'), state('a'))).toBe('unchanged');
  expect(plan(state('b'), state('a'), { digest: 'a' })).toBe('updated');
  expect(plan(state('a'), state('b'), { digest: 'a' })).toBe('unchanged');
});

it('leaves alone what both sides have changed, or what is not known to have been equal', () => {
  for (const base of [undefined, { digest: 'a' }, { digest: '' }])
    expect(plan(state('b'), state('c'), base)).toBe('conflict');
  expect(plan(state('b'), state('c'), { digest: 'a' }, true)).toBe('updated');
});

it('goes on with a copy that was interrupted, as long as its source is the same', () => {
  expect(plan(state('b'), state('half'), { digest: 'a', begun: 'b' })).toBe('updated');
  expect(plan(state('c'), state('half'), { digest: 'a', begun: 'b' })).toBe('conflict');
});

it('takes the later one of two fetches of the same sources', () => {
  expect(plan(state('b', 2), state('c', 1))).toBe('updated');
  expect(plan(state('b', 1), state('c', 2))).toBe('unchanged');
  expect(plan(state('b', 2), state('c', 2))).toBe('conflict');
  expect(plan(state('b', 2, 'other'), state('c', 1))).toBe('conflict');
});
