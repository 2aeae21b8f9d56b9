import { expect, it } from 'vitest';
import { createTopic } from './create-topic.ts';
import {
  createInput,
  gitSource,
  LIMITS,
  libraryDesk,
  never,
  REPOSITORY,
  repositoryOf,
  YES,
} from './library-desk.contract.ts';
import { type RefreshInput, refreshTopic } from './refresh-topic.ts';
import { searchReferences } from './search-references.ts';
import { updateTopic } from './update-topic.ts';

const DAY = 86_400_000;
const PAGE = 'https://example.org/guide';
const FILES = {
  'README.md': '# Signals\n\nfirst words\n',
  'docs/same.md': 'the same as ever\n',
  'docs/old-name.md': 'moved but not changed\n',
  'docs/gone.md': 'not for long\n',
  'bin.dat': new Uint8Array([0]),
};

async function desk() {
  const made = libraryDesk(YES);
  made.repositories[REPOSITORY] = repositoryOf(FILES);
  made.pages[PAGE] = { body: '<p>page one</p>', contentType: 'text/html', etag: '"1"' };
  const sources = [gitSource(), { type: 'web' as const, url: PAGE }];
  await createTopic(made.ports, createInput({ sources }), never);
  made.time.now += 40 * DAY;
  const refresh = (changes: Partial<RefreshInput> = {}) =>
    refreshTopic(made.ports, { topic: 'signals', limits: LIMITS, ...changes }, async () => {}, never);
  const topic = async () => {
    const kept = await made.library.get('signals');
    if (!kept || !('topic' in kept)) throw new Error('gone');
    return kept;
  };
  const text = async (path: string) => new TextDecoder().decode(await made.library.readFile('signals', path));
  return { ...made, refresh, topic, text };
}

const NOTHING = { added: [], changed: [], removed: [], renamed: [] };

it('touches nothing of what has not changed, and knows that it is fresh', async () => {
  const { refresh, topic, time, ports } = await desk();
  const before = await topic();
  expect(await refresh()).toMatchObject({ result: 'unchanged', ...NOTHING, warnings: [] });
  const after = await topic();
  expect(after.stamp).toBe(before.stamp);
  expect(after.topic).toEqual({
    ...before.topic,
    fetchedAt: time.now,
    sources: before.topic.sources.map((source) => ({ ...source, fetchedAt: time.now })),
  });
  expect(await ports.referenceIndex.isCurrent()).toBe(true);
});

it('touches exactly what was changed, added, renamed and removed', async () => {
  const { refresh, repositories, pages, library, ports, text, store, time } = await desk();
  const indexed = await store.hashes('refs:docs');
  const { 'docs/gone.md': _, 'docs/old-name.md': moved, ...rest } = FILES;
  const next = {
    ...rest,
    'README.md': '# Signals\n\nsecond words\n',
    'docs/new-name.md': moved,
    'docs/new.md': 'new\n',
  };
  repositories[REPOSITORY] = repositoryOf(next, 2);
  pages[PAGE] = { body: '<p>page two</p>', contentType: 'text/html', etag: '"2"' };
  const expected = {
    added: ['docs/new.md'],
    changed: ['README.md', 'example-org-guide.md'],
    removed: ['docs/gone.md'],
    renamed: [{ from: 'docs/old-name.md', to: 'docs/new-name.md' }],
  };
  const dry = await refresh({ dryRun: true });
  expect(dry).toMatchObject({ result: 'would-change', ...expected, added: ['bin.dat', 'docs/new.md'] });
  expect(await text('README.md')).toBe(FILES['README.md']);

  expect(await refresh()).toMatchObject({
    result: 'refreshed',
    ...expected,
    file_count: 5,
    skipped: { binary: 1 },
  });
  expect(await library.filePaths('signals')).toEqual([
    'README.md',
    'docs/new-name.md',
    'docs/new.md',
    'docs/same.md',
    'example-org-guide.md',
  ]);
  expect(await text('example-org-guide.md')).toBe('page two\n');
  const second = '2'.padStart(40, '0');
  const commits = (await library.lock('signals')).files.map(({ path, commit, fetchedAt }) => [
    path,
    commit,
    fetchedAt,
  ]);
  expect(commits).toEqual([
    ['README.md', second, time.now],
    ['docs/new-name.md', second, time.now],
    ['docs/new.md', second, time.now],
    ['docs/same.md', '1'.padStart(40, '0'), time.now],
    ['example-org-guide.md', undefined, time.now],
  ]);
  const after = await store.hashes('refs:docs');
  expect(after.get('topic-signals/docs/same.md')).toBe(indexed.get('topic-signals/docs/same.md'));
  expect([...after.keys()].sort()).toEqual(
    ['README.md', 'docs/new-name.md', 'docs/new.md', 'docs/same.md', 'example-org-guide.md'].map(
      (path) => `topic-signals/${path}`,
    ),
  );
  const { hits } = await searchReferences(ports, { question: 'second words' }, never);
  expect(hits[0]?.citation.uri).toBe(`ken://ref/topic-signals@${second}/README.md#L1-L3`);
});

it('keeps what there was of a source that fails, and is no fresher than that', async () => {
  const { refresh, repositories, pages, library, topic, text } = await desk();
  repositories[REPOSITORY] = repositoryOf({ ...FILES, 'README.md': 'changed\n' }, 2);
  delete pages[PAGE];
  const fetched = (await topic()).topic.fetchedAt;
  expect(await refresh()).toMatchObject({
    result: 'refreshed',
    ...NOTHING,
    changed: ['README.md'],
    warnings: [`${PAGE} answered 404 (Not Found)`],
  });
  expect(await text('example-org-guide.md')).toBe('page one\n');
  expect((await topic()).topic.fetchedAt).toBe(fetched);
  expect((await library.lock('signals')).files).toHaveLength(5);
});

it('changes nothing when all sources fail', async () => {
  const { refresh, repositories, pages, topic } = await desk();
  const before = await topic();
  delete repositories[REPOSITORY];
  delete pages[PAGE];
  await expect(refresh()).rejects.toMatchObject({ code: 'git/not-found' });
  expect(await topic()).toEqual(before);
});

it('a source that fails half way leaves nothing of its new state', async () => {
  const { refresh, repositories, text, library, topic } = await desk();
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}.md`, `# ${at}\n`]));
  repositories[REPOSITORY] = repositoryOf({ ...many, 'README.md': 'changed\n' }, 2);
  expect(await refresh()).toMatchObject({ ...NOTHING, warnings: [expect.stringContaining('limit is 100')] });
  expect(await text('README.md')).toBe(FILES['README.md']);
  expect((await library.lock('signals')).files).toHaveLength(5);
  expect((await topic()).topic.sources[0]).toMatchObject({ commit: '1'.padStart(40, '0') });
});

it('brings back a file that is missing, whatever the commit says', async () => {
  const { refresh, library } = await desk();
  const staged = await library.stage();
  for (const path of ['README.md', 'docs/same.md', 'docs/old-name.md', 'example-org-guide.md'])
    await staged.carry({ slug: 'signals', path }, path);
  const lock = (await library.lock('signals')).files;
  await staged.replace('signals', (topic) => topic, lock);
  expect(await refresh()).toMatchObject({ result: 'refreshed', ...NOTHING, added: ['docs/gone.md'] });
  expect(await library.filePaths('signals')).toContain('docs/gone.md');
});

it('keeps what is said about a topic while it is fetched', async () => {
  const { ports, repositories, topic } = await desk();
  repositories[REPOSITORY] = repositoryOf({ ...FILES, 'README.md': 'changed\n' }, 2);
  const meanwhile = async () =>
    void (await updateTopic(ports, { topic: 'signals', patch: { body: 'meanwhile' } }));
  await refreshTopic(ports, { topic: 'Signals', limits: LIMITS }, meanwhile, never);
  expect((await topic()).topic).toMatchObject({
    body: 'meanwhile',
    sources: [{ commit: '2'.padStart(40, '0') }, {}],
  });
});
