import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { builtinEmbedder } from '../../../adapters/embedders/builtin.ts';
import { embedChunks, indexItems } from '../index/index-items.ts';
import type { IndexStore } from '../index/index-store.ts';
import { newItem } from '../index/test-index.contract.ts';
import { searchEngine } from './search-engine.ts';

const embedder = builtinEmbedder();

async function filled(...more: readonly string[]): Promise<IndexStore> {
  const store = indexInMemory();
  const items = [
    newItem('keys', ['Rotate API keys every ninety days: create a new key, then revoke the old one.']),
    newItem('cache', ['The cache keeps parsed pages in memory.', 'Set `cache.maxAge` to expire entries.']),
    newItem('json', ['function safeJsonParse(text) { try { return JSON.parse(text) } catch {} }']),
    newItem('retry', ['Failed requests are retried with exponential backoff and jitter.']),
    ...more.map((text, at) => newItem(`more-${at}`, [text])),
  ];
  await indexItems({ store }, { items });
  await embedChunks({ store, embedder });
  return store;
}

it.each([
  ['how often are keys rotated?', 'keys'],
  ['when do cached pages expire?', 'cache'],
  ['what happens when a request fails?', 'retry'],
])('answers %j in a corpus of a handful', async (question, id) => {
  const engine = searchEngine({ stores: [await filled()], embedder });
  const { outcome, hits } = await engine.search({ question, limit: 3 });
  expect([outcome, hits[0]?.chunk.id]).toEqual(['answers', id]);
});

it.each([
  ['words that nothing has', Array.from({ length: 900 }, (_, at) => `w${at}q`).join(' ')],
  ['one word', 'x'.repeat(8192)],
  ['identifiers of another project', Array.from({ length: 300 }, (_, at) => `fooBar${at}Quux()`).join('\n')],
])('takes nothing for an answer to a long paste of %s', async (_, question) => {
  const store = await filled(
    'Чтобы откатить релиз, выполните команду и сообщите дежурному.',
    'Urlaub wird bis zum 31. März übertragen. Anträge gehen an Frau Müller.',
    'Hardware: 12,400 EUR. Travel: 3,000 EUR.',
  );
  for (const each of [embedder, undefined]) {
    const { outcome } = await searchEngine({ stores: [store], embedder: each }).search({
      question,
      limit: 3,
    });
    expect(outcome).not.toBe('answers');
  }
});

it('comes to the same outcome whatever the limit, with chances that never rise', async () => {
  const engine = searchEngine({ stores: [await filled()], embedder });
  for (const question of ['rotate api keys', 'parse json', 'which king founded the monastery', 'backoff']) {
    const [few, many] = await Promise.all([1, 10].map((limit) => engine.search({ question, limit })));
    expect(few?.outcome).toBe(many?.outcome);
    const chances = [...(many?.hits ?? []), ...(many?.nearMisses ?? [])].map(({ chance }) => chance);
    expect(chances).toEqual(chances.toSorted((a, b) => b - a));
  }
});

it('ranks by words alone when vectors have no weight', async () => {
  const store = await filled();
  const question = { question: 'rotate the api keys', limit: 10, explain: true };
  const { hits } = await searchEngine({
    stores: [store],
    embedder,
    weights: { lexical: 1, dense: 0 },
  }).search(question);
  expect(hits.length).toBeGreaterThan(0);
  for (const { explanation } of hits) expect(explanation?.dense.weight).toBe(0);
});
