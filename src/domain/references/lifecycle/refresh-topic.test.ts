import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import { searchReferences } from '../search/search-references.ts';
import type { GitReader } from '../sources/git-reader.ts';
import {
  createInput,
  gitSource,
  LIMITS,
  libraryDesk,
  never,
  REPOSITORY,
  repositoryOf,
  YES,
} from '../topic/library-desk.contract.ts';
import { createTopic } from './create-topic.ts';
import { type RefreshInput, refreshTopic } from './refresh-topic.ts';
import { updateTopic } from './update-topic.ts';

const KEN = { ghost: 'ken', model: undefined };
const DAY = 86_400_000;
const PAGE = 'https://example.org/guide';
const PAGE_FILE = 'example-org-guide.md';
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
  const read: string[] = [];
  const opened: string[] = [];
  const ports = { ...made.ports, gitReader: watched(made.ports.gitReader, read, opened) };
  const refresh = (changes: Partial<RefreshInput> = {}) =>
    refreshTopic(ports, { topic: 'signals', limits: LIMITS, ...changes }, async () => {}, never);
  const topic = async () => {
    const kept = await made.library.get('signals');
    if (!kept || !('topic' in kept)) throw new Error('gone');
    return kept;
  };
  const text = async (path: string) => new TextDecoder().decode(await made.library.readFile('signals', path));
  return { ...made, refresh, topic, text, read, opened };
}

/** Writes down what is opened, and whose content is read. */
function watched(reader: GitReader, read: string[], opened: string[]): GitReader {
  const open: GitReader['open'] = async (...request) => {
    opened.push(request[0].url);
    const tree = await reader.open(...request);
    const readWatched: typeof tree.read = (files, limits) => {
      read.push(...files.map(({ path }) => path));
      return tree.read(files, limits);
    };
    return { ...tree, read: readWatched };
  };
  return { ...reader, open };
}

const NOTHING = { added: [], changed: [], removed: [], renamed: [] };

it('touches nothing of what has not changed, and knows that it is fresh', async () => {
  const { refresh, topic, time, ports, opened } = await desk();
  const before = await topic();
  expect(await refresh()).toMatchObject({ result: 'unchanged', ...NOTHING, warnings: [] });
  expect(opened).toEqual([]);
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
  const indexed = await store.items('refs:docs');
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
  expect(dry).toMatchObject({ result: 'would-change', ...expected, file_count: 5, skipped: { binary: 1 } });
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
  const after = await store.items('refs:docs');
  expect(after.get('topic-signals/docs/same.md')).toEqual(indexed.get('topic-signals/docs/same.md'));
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

it('what was read of a source before it failed is gone again', async () => {
  const made = await desk();
  const { repositories, library, topic } = made;
  repositories[REPOSITORY] = repositoryOf({ ...FILES, 'README.md': 'changed\n', 'docs/new.md': 'new\n' }, 2);
  made.pages[PAGE] = { body: '<p>page two</p>', contentType: 'text/html', etag: '"2"' };
  const fault = new Fault('git/failed', 'the line is cut.');
  const reader: GitReader = {
    ...made.ports.gitReader,
    async open(...request) {
      const tree = await made.ports.gitReader.open(...request);
      const cut: typeof tree.read = async function* (files, limits) {
        for await (const content of tree.read(files, limits)) {
          yield content;
          if (content.file.path === 'docs/new.md') throw fault;
        }
      };
      return { ...tree, read: cut };
    },
  };
  const ports = { ...made.ports, gitReader: reader };
  const input = { topic: 'signals', limits: LIMITS };
  expect(await refreshTopic(ports, input, async () => {}, never)).toMatchObject({
    ...NOTHING,
    changed: [PAGE_FILE],
    warnings: [`${REPOSITORY}: the line is cut`],
  });
  expect(await library.filePaths('signals')).toEqual([
    'README.md',
    'docs/gone.md',
    'docs/old-name.md',
    'docs/same.md',
    PAGE_FILE,
  ]);
  expect(await made.text('README.md')).toBe(FILES['README.md']);
  expect((await topic()).topic.sources[0]).toMatchObject({ commit: '1'.padStart(40, '0') });
});

/** Takes files out of the library, or changes them, behind its back. */
async function damage(
  { library }: Pick<Awaited<ReturnType<typeof desk>>, 'library'>,
  files: Record<string, string | undefined>,
) {
  const staged = await library.stage();
  for (const path of await library.filePaths('signals'))
    if (!(path in files)) await staged.carry({ slug: 'signals', path }, path);
  for (const [path, text] of Object.entries(files))
    if (text !== undefined) await staged.write(path, new TextEncoder().encode(text));
  await staged.replace('signals', (topic) => topic, await library.lock('signals'));
}

it('brings back what is missing or was changed here, whatever the commit and the page say', async () => {
  const made = await desk();
  const { refresh, text, ports } = made;
  const files = { 'docs/gone.md': undefined, 'README.md': '# Signals\n\nFIRST words\n', [PAGE_FILE]: 'x' };
  await damage(made, files);
  const changed = ['README.md', 'docs/gone.md', PAGE_FILE];
  expect(await refresh({ dryRun: true })).toMatchObject({ result: 'would-change', ...NOTHING, changed });
  expect(await text('README.md')).toContain('FIRST');
  expect(await refresh()).toMatchObject({ result: 'refreshed', ...NOTHING, changed, file_count: 5 });
  expect([await text('README.md'), await text('docs/gone.md'), await text(PAGE_FILE)]).toEqual([
    FILES['README.md'],
    FILES['docs/gone.md'],
    'page one\n',
  ]);
  const { hits } = await searchReferences(ports, { question: 'first words' }, never);
  expect(hits[0]?.citation.path).toBe('README.md');
  expect(await refresh()).toMatchObject({ result: 'unchanged', ...NOTHING });
});

it('does not forget what is lost while its source cannot be reached', async () => {
  const made = await desk();
  const { refresh, repositories, pages, library, text } = made;
  await damage(made, { 'docs/gone.md': undefined, 'README.md': 'damaged' });
  pages[PAGE] = { body: '<p>page two</p>', contentType: 'text/html', etag: '"2"' };
  const repository = repositories[REPOSITORY];
  delete repositories[REPOSITORY];
  expect(await refresh()).toMatchObject({ ...NOTHING, changed: [PAGE_FILE], warnings: [expect.any(String)] });
  expect((await library.lock('signals')).files).toHaveLength(5);
  if (repository) repositories[REPOSITORY] = repository;
  expect(await refresh()).toMatchObject({ ...NOTHING, changed: ['README.md', 'docs/gone.md'] });
  expect(await text('README.md')).toBe(FILES['README.md']);
});

it('looks once at content that is not kept, and again when it, its ending or the limit is another', async () => {
  const { refresh, repositories, topic, library, read } = await desk();
  const next = { ...FILES, 'logo.dat': FILES['bin.dat'], 'other.txt': FILES['bin.dat'] };
  repositories[REPOSITORY] = repositoryOf({ ...FILES, 'Cargo.lock': '' }, 2);
  const before = await topic();
  expect(await refresh({ dryRun: true })).toMatchObject({ result: 'unchanged', skipped: { binary: 1 } });
  expect(await refresh()).toMatchObject({ result: 'unchanged', skipped: { binary: 1, lock_file: 1 } });
  expect((await topic()).stamp).toBe(before.stamp);

  repositories[REPOSITORY] = repositoryOf(next, 3);
  expect(await refresh()).toMatchObject({ ...NOTHING, skipped: { binary: 3 } });
  expect(read).toEqual(['other.txt']);
  expect((await library.lock('signals')).skipped.map(({ path, reason }) => [path, reason])).toEqual([
    ['bin.dat', 'binary'],
    ['logo.dat', 'binary'],
    ['other.txt', 'binary'],
  ]);
});

it('a larger limit lets in what was too large, a smaller one does not', async () => {
  const { refresh, repositories } = await desk();
  const large = 'word '.repeat(12_000);
  repositories[REPOSITORY] = repositoryOf({ ...FILES, 'large.md': large }, 2);
  expect(await refresh()).toMatchObject({ ...NOTHING, skipped: { binary: 1, too_large: 1 } });
  repositories[REPOSITORY] = repositoryOf({ ...FILES, 'large.md': large, 'Cargo.lock': '' }, 3);
  expect(await refresh()).toMatchObject({ result: 'unchanged', skipped: { too_large: 1 } });
  repositories[REPOSITORY] = repositoryOf({ ...FILES, 'large.md': large }, 4);
  const limits = { ...LIMITS, maxFileBytes: 100_000 };
  expect(await refresh({ limits })).toMatchObject({
    ...NOTHING,
    added: ['large.md'],
    skipped: { binary: 1 },
  });
});

it('a page that has grown too long, or empty, stays as it was', async () => {
  const { refresh, pages, text } = await desk();
  for (const [body, said] of [
    ['long '.repeat(12_000), `${PAGE} is longer than ${LIMITS.maxFileBytes} bytes`],
    ['', `${PAGE} contains no text`],
  ] as const) {
    pages[PAGE] = { body: `<p>${body}</p>`, contentType: 'text/html', etag: `"${body.length}"` };
    expect(await refresh()).toMatchObject({ ...NOTHING, result: 'unchanged', warnings: [said] });
    expect(await text(PAGE_FILE)).toBe('page one\n');
  }
});

it('a page gives way to a file of the repository that has got its name, and stays itself', async () => {
  const { refresh, repositories, library, text } = await desk();
  repositories[REPOSITORY] = repositoryOf({ ...FILES, [PAGE_FILE]: 'of the repository\n' }, 2);
  expect(await refresh()).toMatchObject({ result: 'refreshed', removed: [], file_count: 6 });
  expect(await text(PAGE_FILE)).toBe('of the repository\n');
  const { files } = await library.lock('signals');
  const page = files.find(({ source }) => source === PAGE)?.path ?? '';
  expect(page).toMatch(/^example-org-guide-[0-9a-f]{8}\.md$/);
  expect(await text(page)).toBe('page one\n');
  expect(await refresh()).toMatchObject({ result: 'unchanged', ...NOTHING });
});

it('keeps what is said about a topic while it is fetched', async () => {
  const { ports, repositories, topic } = await desk();
  repositories[REPOSITORY] = repositoryOf({ ...FILES, 'README.md': 'changed\n' }, 2);
  const meanwhile = async () =>
    void (await updateTopic(ports, { topic: 'signals', by: KEN, patch: { body: 'meanwhile' } }));
  await refreshTopic(ports, { topic: 'Signals', limits: LIMITS }, meanwhile, never);
  expect((await topic()).topic).toMatchObject({
    body: 'meanwhile',
    sources: [{ commit: '2'.padStart(40, '0') }, {}],
  });
});
