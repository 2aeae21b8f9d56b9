import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { builtinEmbedder } from '../../../adapters/embedders/builtin.ts';
import { Fault } from '../../../base/fault.ts';
import type { Embedder } from '../index/embedder.ts';
import type { IndexItem, StoredChunk } from '../index/index-item.ts';
import { embedChunks, indexItems, tidyIndex } from '../index/index-items.ts';
import type { IndexStore } from '../index/index-store.ts';
import { newItem } from '../index/test-index.contract.ts';
import { type SearchRequest, searchEngine } from './search-engine.ts';

const embedder = builtinEmbedder();

const SUBJECTS: readonly IndexItem[] = [
  newItem('keys', [
    'Rotate API keys every ninety days: create a new key, deploy it, then revoke the old one.',
  ]),
  newItem('cache', ['The cache keeps parsed pages in memory.', 'Set `cache.maxAge` to expire entries.']),
  newItem(
    'json',
    ['function safeJsonParse(text) { try { return JSON.parse(text) } catch { return undefined } }'],
    {
      kind: 'chunk',
      source: 'refs',
      topic: 'topic-utils',
      path: 'src/safe-json.ts',
    },
  ),
  newItem('retry', ['Failed requests are retried with exponential backoff and jitter.'], {
    labels: new Map([['env', 'prod']]),
  }),
  newItem('tokyo', ['東京タワーの高さは333メートルです。']),
];

async function filled(items: readonly IndexItem[] = SUBJECTS): Promise<IndexStore> {
  const store = indexInMemory();
  await indexItems({ store }, { items });
  await embedChunks({ store, embedder });
  return store;
}

async function idsFor(store: IndexStore, question: string, given: Partial<SearchRequest> = {}) {
  const engine = searchEngine({ stores: [store], embedder });
  const { hits, nearMisses } = await engine.search({ question, limit: 10, ...given });
  return [...hits, ...nearMisses].map(({ chunk }) => chunk.id);
}

async function idsByWords(store: IndexStore, question: string, given: Partial<SearchRequest> = {}) {
  const engine = searchEngine({ stores: [store], embedder: undefined });
  const { hits, nearMisses } = await engine.search({ question, limit: 10, ...given });
  return [...hits, ...nearMisses].map(({ chunk }) => chunk.id);
}

it.each([
  ['how to rotate an api key', 'keys'],
  ['parse a JSON string safely', 'json'],
  ['safe_json_parse', 'json'],
  ['retrying with backoff', 'retry'],
  ['東京', 'tokyo'],
  ['塔の高さ', 'tokyo'],
])('answers %j with %s first', async (question, id) => {
  const { hits } = await searchEngine({ stores: [await filled()], embedder }).search({ question, limit: 10 });
  expect(hits[0]?.chunk.id).toBe(id);
});

it('matches any of the words, the more the better', async () => {
  const store = await filled([
    newItem('one', ['alpha']),
    newItem('both', ['alpha beta']),
    newItem('none', ['gamma']),
  ]);
  expect(await idsByWords(store, 'alpha beta delta')).toEqual(['both', 'one']);
});

it('keeps to phrases and exclusions', async () => {
  const store = await filled([
    newItem('exact', ['the quick brown fox']),
    newItem('apart', ['a brown and quick fox']),
    newItem('foxes', ['brown foxes sleep']),
  ]);
  expect(await idsByWords(store, '"quick brown"')).toEqual(['exact']);
  expect(await idsByWords(store, '"brown quick"')).toEqual([]);
  expect(await idsByWords(store, 'brown -sleep')).toEqual(['exact', 'apart']);
  expect(await idsByWords(store, 'fox -"quick brown"')).toEqual(['foxes', 'apart']);
  expect((await idsByWords(store, 'what is "brown quick" or "quick brown" here'))[0]).toBe('exact');
});

it('prefers what contains a joined word as it stands', async () => {
  const store = await filled([
    newItem('apart', ['the console shows the log of the last run']),
    newItem('joined', ['a somewhat longer text that has console.log in it somewhere, and more besides']),
  ]);
  expect((await idsByWords(store, 'console.log'))[0]).toBe('joined');
});

it('tells languages apart that differ in a sign', async () => {
  const store = await filled([
    newItem('x', ['The C bindings need a compiler.']),
    newItem('y', ['The C++ bindings need a compiler.']),
    newItem('z', ['The C# bindings need a compiler.']),
  ]);
  for (const [question, id] of [
    ['C++ bindings', 'y'],
    ['which compiler do the C# bindings need?', 'z'],
    ['"C# bindings"', 'z'],
  ] as const)
    expect([question, (await idsByWords(store, question))[0]]).toEqual([question, id]);
});

it('finds an answer by its question, after one that says the word itself', async () => {
  const answer = { heading: '', body: 'In the pantry.', firstLine: 1, lastLine: 1 };
  const store = await filled([
    newItem('asked', [], { kind: 'turn', chunks: [{ ...answer, question: 'Where is the honey?' }] }),
    newItem('said', ['With honey now.'], { kind: 'turn' }),
  ]);
  expect(await idsByWords(store, 'honey')).toEqual(['said', 'asked']);
});

it('filters before it cuts', async () => {
  const crowd = Array.from({ length: 700 }, (_, at) => newItem(`crowd${at}`, ['rotate the api keys now']));
  const lonely = newItem('lonely', ['keys'], { topic: 'other', path: 'deep/down/here.md' });
  const store = await filled([...crowd, lonely]);
  const question = 'rotate the api keys';
  expect(await idsFor(store, question, { isWantedGroup: ({ topic }) => topic === 'other' })).toEqual([
    'lonely',
  ]);
  expect(await idsFor(store, question, { filter: { paths: ['deep/'] } })).toEqual(['lonely']);
  expect(await idsFor(store, question, { filter: { ids: [{ source: 'kb', id: 'lonely' }] } })).toEqual([
    'lonely',
  ]);
  expect(await idsFor(store, question, { filter: { paths: ['nowhere/'] } })).toEqual([]);
});

it('gives what is cited by its heading alone once for each heading', async () => {
  const said = (heading: string, body: string) => ({ heading, body, firstLine: 0, lastLine: 0 });
  const chunks = [said('turn 1', 'alpha beta'), said('turn 1', 'alpha'), said('turn 2', 'alpha beta gamma')];
  const store = await filled([{ ...newItem('talk', []), chunks }]);
  const { hits } = await searchEngine({ stores: [store], embedder: undefined }).search({
    question: 'alpha beta',
    limit: 9,
  });
  expect(hits.map(({ chunk }) => `${chunk.heading}: ${chunk.body}`)).toEqual([
    'turn 1: alpha beta',
    'turn 2: alpha beta gamma',
  ]);
});

it('does not let one item crowd out the others', async () => {
  const store = await filled([
    newItem('long', new Array(20).fill('alpha beta')),
    newItem('short', ['alpha']),
  ]);
  expect(await idsByWords(store, 'alpha beta', { perItem: 3 })).toEqual(['long', 'long', 'long', 'short']);
  expect(await idsByWords(store, 'alpha beta', { limit: 2 })).toEqual(['long', 'long']);
});

it('looks on when the best are all of one item, or have not the phrase', async () => {
  const store = await filled([
    newItem(
      'long',
      Array.from({ length: 60 }, (_, at) => `alpha beta ${'alpha beta '.repeat(at)}`),
    ),
    newItem('short', ['alpha, and beta after it']),
    newItem('phrase', ['much later in a longer text than the others the words alpha after beta']),
  ]);
  expect(await idsByWords(store, 'alpha beta', { limit: 3, perItem: 1 })).toEqual([
    'long',
    'short',
    'phrase',
  ]);
  expect(await idsByWords(store, '"alpha after beta"', { limit: 2 })).toEqual(['phrase']);
});

it('orders ties by id, and near-ties by trust, whatever the order of indexing', async () => {
  const items = ['d', 'b', 'c', 'a'].map((id) => newItem(id, ['alpha beta'], { path: '' }));
  const better = newItem('z', ['alpha alpha beta beta'], { path: '' });
  for (const order of [items, items.toReversed()]) {
    const store = await filled([...order, better]);
    expect(await idsByWords(store, 'alpha beta')).toEqual(['z', 'a', 'b', 'c', 'd']);
    const distrustOf = async (chunks: readonly StoredChunk[]) => chunks.map(({ id }) => (id === 'c' ? 0 : 1));
    expect(await idsByWords(store, 'alpha beta', { distrustOf })).toEqual(['z', 'c', 'a', 'b', 'd']);
  }
});

it('prefers what is trusted among many near-ties, however far behind by id', async () => {
  const ids = Array.from({ length: 80 }, (_, at) => `i${String(at).padStart(2, '0')}`);
  const store = await filled(ids.map((id) => newItem(id, ['alpha beta'], { path: '' })));
  const distrustOf = async (chunks: readonly StoredChunk[]) =>
    chunks.map(({ id }) => (id === 'i61' || id === 'i79' ? 0 : 1));
  expect(await idsByWords(store, 'alpha beta', { distrustOf, limit: 3 })).toEqual(['i61', 'i79', 'i00']);
});

it('orders ties within one item as they stand in it', async () => {
  const bodies = Array.from({ length: 6 }, (_, at) => `alpha beta ${String.fromCharCode(97 + at)}`);
  const store = await filled([newItem('long', bodies)]);
  const { hits } = await searchEngine({ stores: [store], embedder: undefined }).search({
    question: 'alpha beta',
    limit: 6,
    distrustOf: async (chunks) => chunks.map(() => 0),
  });
  expect(hits.map(({ chunk }) => chunk.ordinal)).toEqual([0, 1, 2, 3, 4, 5]);
});

/** The same vectors turned around, under another name. */
const turned: Embedder = {
  identity: async () => ({ ...(await embedder.identity()), fingerprint: 'turned' }),
  embed: async (...given) => (await embedder.embed(...given)).map((vector) => vector?.map((each) => -each)),
};

it('compares a question only with vectors of the same embedder, in one process over time', async () => {
  const store = await filled();
  const explained = async (by: Embedder) => {
    const request = { question: 'how to rotate an api key', limit: 3, explain: true };
    const { hits, nearMisses } = await searchEngine({ stores: [store], embedder: by }).search(request);
    const best = [...hits, ...nearMisses].find(({ chunk }) => chunk.id === 'keys');
    return best?.explanation?.dense;
  };
  const before = await explained(embedder);
  expect(before).toMatchObject({ weight: 0.35 });
  expect(await explained(turned)).toMatchObject({ weight: 0 });
  await embedChunks({ store, embedder: turned });
  expect((await explained(turned))?.raw).toBeCloseTo(before?.raw ?? 0, 5);
});

it('ranks the same however the index came about', async () => {
  const store = await filled([newItem('keys', ['an older text about something else entirely'])]);
  for (const item of SUBJECTS) await indexItems({ store }, { items: [item] });
  await tidyIndex({ store });
  await embedChunks({ store, embedder });
  const question = 'rotate keys in the cache';
  const engine = searchEngine({ stores: [store], embedder });
  const fresh = searchEngine({ stores: [await filled()], embedder });
  const scores = async (each: typeof engine) => {
    const { hits, nearMisses } = await each.search({ question, limit: 10 });
    return [...hits, ...nearMisses].map(({ chunk, score }) => [chunk.id, chunk.ordinal, score]);
  };
  expect(await scores(engine)).toEqual(await scores(fresh));
});

it('ranks several indexes as if they were one', async () => {
  const stores = [await filled(SUBJECTS.slice(0, 2)), await filled(SUBJECTS.slice(2)), indexInMemory()];
  const together = await searchEngine({ stores, embedder }).search({
    question: 'parse JSON keys',
    limit: 10,
  });
  const alone = await searchEngine({ stores: [await filled()], embedder }).search({
    question: 'parse JSON keys',
    limit: 10,
  });
  const seen = ({ hits, nearMisses }: typeof alone) =>
    [...hits, ...nearMisses].map(({ chunk, score }) => [chunk.id, score]);
  expect(seen(together)).toEqual(seen(alone));
  expect(together.hits.find(({ chunk }) => chunk.id === 'json')?.store).toBe(1);
});

it('sees at once what another engine has changed', async () => {
  const store = await filled();
  const engine = searchEngine({ stores: [store], embedder });
  await engine.search({ question: 'warm', limit: 1 });
  await indexItems(
    { store },
    { items: [newItem('new', ['the zyzzyva beetle'])], removed: [{ source: 'kb', id: 'keys' }] },
  );
  const found = await engine.search({ question: 'zyzzyva beetle', limit: 5 });
  expect(found.hits.map(({ chunk }) => chunk.id)).toEqual(['new']);
  await store.clear();
  expect((await engine.search({ question: 'zyzzyva beetle', limit: 5 })).nearMisses).toEqual([]);
});

it('answers questions at the same time', async () => {
  const engine = searchEngine({ stores: [await filled()], embedder });
  const questions = ['rotate api keys', 'parse json', 'exponential backoff', '東京'];
  const first = (question: string) =>
    engine.search({ question, limit: 1 }).then(({ hits }) => hits[0]?.chunk.id);
  expect(await Promise.all(questions.map(first))).toEqual(['keys', 'json', 'retry', 'tokyo']);
});

it('abstains when nothing is relevant, and shows what came nearest', async () => {
  const store = await filled();
  const engine = searchEngine({ stores: [store], embedder });
  const result = await engine.search({
    question: 'Which medieval king founded the monastery of Lorsch?',
    limit: 3,
  });
  expect(result.outcome).not.toBe('answers');
  expect(result.hits).toEqual([]);
  expect(result.nearMisses.length).toBeGreaterThan(0);
  expect(await engine.search({ question: '', limit: 3 })).toMatchObject({
    outcome: 'nothing',
    hits: [],
    nearMisses: [],
  });
});

it('explains every part of a score', async () => {
  const engine = searchEngine({ stores: [await filled()], embedder });
  const { hits } = await engine.search({ question: 'rotate api kesy', limit: 3, explain: true });
  const explanation = hits[0]?.explanation;
  const { lexical, dense, words = [], score } = explanation ?? {};
  expect(words.map(({ word, takenFor }) => [word, takenFor])).toEqual([
    ['rotate', undefined],
    ['api', undefined],
    ['kesy', ['kei']],
  ]);
  expect(words.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(lexical?.raw ?? 0, 4);
  expect(lexical?.weight).toBe(0.65);
  expect((lexical?.normalised ?? 0) * 0.65 + (dense?.normalised ?? 0) * 0.35).toBeCloseTo(score ?? 0, 10);
});

it('ranks by words while the embedder is away, half done, or another one', async () => {
  const away: Embedder = {
    identity: async () => {
      throw new Fault('embedder/unreachable', 'Nobody answers.');
    },
    embed: async () => [],
  };
  const store = await filled();
  const alone = await searchEngine({ stores: [store], embedder: away }).search({
    question: 'api keys',
    limit: 3,
  });
  expect(alone.hits[0]?.chunk.id).toBe('keys');
  expect(alone.vector).toEqual({ status: 'away', reason: 'Nobody answers.' });

  await indexItems({ store }, { items: Array.from({ length: 3 }, (_, at) => newItem(`n${at}`, ['api'])) });
  const half = await searchEngine({ stores: [store], embedder }).search({
    question: 'api keys',
    limit: 3,
    explain: true,
  });
  expect(half.hits[0]?.explanation?.dense.weight).toBe(0);
  await embedChunks({ store, embedder });
  const whole = await searchEngine({ stores: [store], embedder }).search({
    question: 'api keys',
    limit: 3,
    explain: true,
  });
  expect(whole.hits[0]?.explanation?.dense.weight).toBe(0.35);
});

it.each([
  ['NEAR('],
  ['"'],
  ['-'],
  ["' or 1=1 --"],
  ['\u0000'],
  ['😀'],
  ['%_'],
  ['x'.repeat(100_000)],
  ['word '.repeat(20_000)],
])('answers %.20s…', async (question) => {
  const engine = searchEngine({ stores: [await filled()], embedder });
  await expect(engine.search({ question, limit: 3 })).resolves.toBeDefined();
});

it('answers any text, the same each time', async () => {
  const engine = searchEngine({ stores: [await filled()], embedder });
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom(...'api keys"-*(日京 ') }),
  );
  await fc.assert(
    fc.asyncProperty(text, async (question) => {
      const ask = () => engine.search({ question, limit: 5 });
      const [one, two] = [await ask(), await ask()];
      expect(one).toEqual(two);
      for (const { score } of [...one.hits, ...one.nearMisses])
        expect(score >= 0 && score <= 1.000001).toBe(true);
    }),
    { numRuns: 60 },
  );
});
