import { expect, it } from 'vitest';
import { termsOf } from '../../words/terms.ts';
import type { StoredChunk } from '../index/index-item.ts';
import { orderReader } from './hit-signals.ts';

const chunk = (given: Partial<StoredChunk>): StoredChunk => ({
  source: 'refs:code',
  id: given.path ?? '',
  kind: 'chunk',
  topic: 't',
  path: 'src/store.ts',
  title: '',
  heading: '',
  body: '',
  hash: '',
  meta: {},
  number: 0,
  ordinal: 0,
  firstLine: 1,
  lastLine: 1,
  ...given,
});

function order(question: string, given: Partial<StoredChunk>) {
  const words = termsOf(question).map((term) => ({
    word: term,
    alternatives: [{ term, factor: 1 }],
    rarity: 1,
    chunkCount: 1,
  }));
  return orderReader(words, question)(0.5, chunk(given));
}

it('knows code by its file name and its symbols, and prefers what is short', () => {
  const { signals } = order('open store', { heading: 'Store › open, close', body: 'open(store)' });
  expect(signals).toMatchObject({ fileName: 1, symbol: 1, beginning: 1, pairs: 0 });
  const long = order('open store', {
    heading: 'Store › open, close',
    body: `open(store)${'\n  step()'.repeat(99)}`,
  });
  expect(long.signals.brevity).toBeLessThan(signals.brevity);
});

it('knows prose by how it begins, and not by its names', () => {
  const page = { path: 'docs/store.md', body: `An open store. ${'Word '.repeat(60)} lock file` };
  expect(order('open store', page).signals).toEqual({
    beginning: 1,
    pairs: 1,
    fileName: 0,
    symbol: 0,
    brevity: 0,
  });
  expect(order('lock file', page).signals).toMatchObject({ beginning: 0, pairs: 0 });
  expect(order('lock file', { ...page, heading: 'The lock file' }).signals).toMatchObject({ pairs: 1 });
});

it('wants the definition when the question is a symbol', () => {
  const heading = 'readFileSync';
  expect(order('readFileSync', { heading }).weights.symbol).toBeGreaterThan(
    order('how does readFileSync work', { heading }).weights.symbol,
  );
});

it.each([
  ['src/store.test.ts', 0.7],
  ['test/store.ts', 0.7],
  ['vendor/lib/a.go', 0.7],
  ['examples/a.py', 0.7],
  ['docs/examples/a.md', 1],
  ['src/latest.ts', 1],
  ['src/contest/a.ts', 1],
])('lowers a test, an example and a vendored file: %s', (path, factor) => {
  expect(order('open store', { path }).factor).toBe(factor);
  expect(order('example of a test, vendored', { path }).factor).toBe(1);
  expect(order('open store', { path, kind: 'subject' }).factor).toBe(1);
});

it('stays between nothing and one', () => {
  expect(
    order('open store', { heading: 'open store', body: 'open store', path: 'open-store.ts' }).score,
  ).toBeLessThan(1);
  expect(order('zebra', {}).score).toBeGreaterThan(0);
});
