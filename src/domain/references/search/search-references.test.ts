import { expect, it } from 'vitest';
import { createTopic } from '../lifecycle/create-topic.ts';
import { updateTopic } from '../lifecycle/update-topic.ts';
import {
  createInput,
  gitSource,
  libraryDesk,
  never,
  repositoryOf,
  YES,
} from '../topic/library-desk.contract.ts';
import { listTopics } from '../topic/list-topics.ts';
import { type ReferenceSearch, searchReferences } from './search-references.ts';
import { searchTopics } from './search-topics.ts';

const KEN = { ghost: 'ken', model: undefined };
const DAY = 86_400_000;
const url = (name: string) => `https://example.org/o/${name}`;

async function desk(
  topics: Readonly<Record<string, Readonly<Record<string, string>>>>,
  trust: Record<string, number> = {},
) {
  const made = libraryDesk(...Object.keys(topics).map(() => YES));
  for (const [title, files] of Object.entries(topics)) {
    made.repositories[url(title)] = repositoryOf(files);
    const sources = [gitSource({ url: url(title) })];
    await createTopic(made.ports, createInput({ title, sources, trustScore: trust[title] ?? 5 }), never);
  }
  const search = (question: string, more: Partial<ReferenceSearch> = {}) =>
    searchReferences(made.ports, { question, ...more }, never);
  const ids = async (question: string, more: Partial<ReferenceSearch> = {}) =>
    (await search(question, more)).hits.map(({ id }) => id);
  return { ...made, search, ids };
}

const sections = (word: string) =>
  Array.from(
    { length: 6 },
    (_, at) => `# Part ${at}\n\n${`The ${word} of part ${at} is told here. `.repeat(40)}\n`,
  ).join('\n');

it('gives at most three chunks of one file', async () => {
  const { ids } = await desk({
    Signals: { 'long.md': sections('zebra'), 'short.md': '# Zebra\n\nOne zebra.\n' },
  });
  const found = await ids('zebra', { limit: 10 });
  expect(found.filter((id) => id === 'topic-signals/long.md')).toHaveLength(3);
  expect(found).toContain('topic-signals/short.md');
});

it('asks docs or code alone, and some paths alone', async () => {
  const { ids } = await desk({
    Signals: {
      'docs/zebra.md': 'A zebra.\n',
      'docs-old/zebra.md': 'A zebra.\n',
      'src/zebra.rs': 'fn zebra() {}\n',
    },
  });
  expect(await ids('zebra', { kind: 'code' })).toEqual(['topic-signals/src/zebra.rs']);
  expect((await ids('zebra', { kind: 'docs' })).sort()).toEqual([
    'topic-signals/docs-old/zebra.md',
    'topic-signals/docs/zebra.md',
  ]);
  expect(await ids('zebra', { paths: ['docs/'] })).toEqual(['topic-signals/docs/zebra.md']);
  expect(await ids('zebra', { paths: ['./docs'] })).toEqual(['topic-signals/docs/zebra.md']);
  expect(await ids('yak', { paths: ['docs'] })).toEqual([]);
  await expect(ids('zebra', { paths: ['doc', 'zebra.md/'] })).rejects.toMatchObject({
    code: 'references/not-found',
    message: 'There is no searched file at doc or zebra.md/.',
  });
});

it('orders what is equally good by trust, what is stale last, and by id in the end', async () => {
  const same = { 'zebra.md': '# Zebra\n\nZebras have stripes.\n' };
  const topics = { Able: same, Best: same, Calm: same };
  const { ids, ports, time } = await desk(topics, { Best: 9 });
  expect(await ids('zebra stripes')).toEqual([
    'topic-best/zebra.md',
    'topic-able/zebra.md',
    'topic-calm/zebra.md',
  ]);
  for (const topic of ['Able', 'Calm'])
    await updateTopic(ports, { topic, by: KEN, patch: { maxAgeDays: 0 } });
  time.now += 31 * DAY;
  expect(await ids('zebra stripes')).toEqual([
    'topic-able/zebra.md',
    'topic-calm/zebra.md',
    'topic-best/zebra.md',
  ]);
});

it('says since when a topic is stale, and never finds an obsolete one', async () => {
  const { search, ids, ports, time } = await desk({ Signals: { 'zebra.md': 'A zebra.\n' } });
  const fetched = time.now;
  time.now += 40 * DAY;
  const [hit] = (await search('zebra')).hits;
  const since = new Date(fetched + 31 * DAY).toISOString();
  expect(hit).toMatchObject({
    freshness: { status: 'stale', stale_since: since },
    trust: { tier: 'stale' },
    topic: { status: 'stale', is_stale: true, stale_since: since },
  });
  await updateTopic(ports, { topic: 'Signals', by: KEN, patch: { status: 'obsolete', maxAgeDays: 0 } });
  expect(await ids('zebra')).toEqual([]);
  expect(await searchTopics(ports, { query: 'zebra' }, never)).toEqual([]);
  await expect(search('zebra', { topic: 'topic-signals' })).rejects.toMatchObject({
    code: 'references/not-found',
  });
  expect(await listTopics(ports, { includeObsolete: false })).toEqual([]);
  expect(await listTopics(ports, { includeObsolete: true })).toMatchObject([
    { status: 'obsolete', is_stale: true, stale_since: new Date(time.now).toISOString() },
  ]);
  await updateTopic(ports, { topic: 'Signals', by: KEN, patch: { status: 'active' } });
  expect(await ids('zebra')).toEqual(['topic-signals/zebra.md']);
});

it('ranks topics by what is said and found in them, not by their names', async () => {
  const { ports } = await desk({
    Alpha: { 'a.md': '# Grass\n\nA zebra eats it.\n' },
    Beta: { 'b.md': '# Rocks\n\nNothing eats them.\n' },
    Zebra: { 'z.md': '# Stripes\n\nA zebra has stripes, and eats grass.\n' },
  });
  const found = await searchTopics(ports, { query: 'zebra stripes' }, never);
  expect(found.map(({ topic_id }) => topic_id)).toEqual(['topic-zebra', 'topic-alpha']);
});

it('finds the topic by id, directory, title or words for it', async () => {
  const { ids } = await desk({
    'Rust UI': { 'zebra.md': 'A zebra in Rust for interfaces.\n' },
    Cooking: { 'zebra.md': 'A zebra in the kitchen with pans.\n' },
  });
  for (const topic of ['topic-rust-ui', 'rust-ui', 'RUST ui', 'interfaces'])
    expect(await ids('zebra', { topic })).toEqual(['topic-rust-ui/zebra.md']);
  await expect(ids('zebra', { topic: 'quantum chromodynamics' })).rejects.toMatchObject({
    code: 'references/not-found',
    message: 'There is no reference topic "quantum chromodynamics".',
  });
});

it.each([
  [{ status: 'stale' }, '"stale" cannot be set as a status.'],
  [{ status: 'new' }, '"new" cannot be set as a status.'],
  [{}, 'Nothing to change was given.'],
  [{ maxAgeDays: -1 }, 'The maximum age must be a whole number of days, 0 or more.'],
])('an update of %j is refused', async (patch, message) => {
  const { ports } = await desk({ Signals: { 'a.md': 'a\n' } });
  await expect(updateTopic(ports, { topic: 'Signals', by: KEN, patch })).rejects.toMatchObject({
    code: 'references/invalid',
    message,
  });
});
