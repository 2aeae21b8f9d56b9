import { expect, it } from 'vitest';
import { Fault } from '../../../base/fault.ts';
import type { ApproverAnswer } from '../../approvals/approver.ts';
import { searchReferences } from '../search/search-references.ts';
import { searchTopics } from '../search/search-topics.ts';
import {
  createInput,
  gitSource,
  LIMITS,
  libraryDesk,
  NO,
  never,
  REPOSITORY,
  repositoryOf,
  YES,
} from '../topic/library-desk.contract.ts';
import { createAsApproved, createTopic } from './create-topic.ts';

const COMMIT = '1'.padStart(40, '0');
const README = '# Signals\n\nA signal tells whoever reads it when it changes.\n';
const BATCH = '# Batching\n\nSeveral writes inside batch() notify the readers once.\n';

function desk(...answers: readonly ApproverAnswer[]) {
  const made = libraryDesk(...answers);
  made.repositories[REPOSITORY] = repositoryOf({
    'README.md': README,
    'docs/batch.md': BATCH,
    'docs-old/batch.md': 'old',
    'src/lib.rs': 'pub fn batch() {}\n',
    'logo.png': 'x',
    'bin.dat': new Uint8Array([0, 1]),
    'Cargo.lock': 'x',
  });
  return made;
}

it('asks with the numbers, and what was approved is there, searchable, with its commit and lines', async () => {
  const { ports, approver, library } = desk(YES);
  const input = createInput({
    body: 'About signals.',
    tags: ['ui', ' ui '],
    labels: new Map([['team', 'a']]),
  });
  expect(await createTopic(ports, { ...input, surveysFirst: true }, never)).toEqual({
    kind: 'created',
    topic: {
      topic_id: 'topic-signals',
      file_count: 4,
      chunk_count: 4,
      skipped: { binary: 2, lock_file: 1 },
      warnings: [],
    },
  });
  expect(approver.asked[0]).toMatchObject({
    summary: "Create reference topic 'Signals'?",
    reason: {
      summary: `Sources: o/signals (5 files, bytes unknown, capped at 9.5 MiB, Markdown, Rust)\ngit ${REPOSITORY}`,
    },
  });
  expect(await library.get('signals')).toMatchObject({
    topic: {
      title: 'Signals',
      body: 'About signals.',
      tags: ['ui'],
      createdBy: { ghost: 'ken', model: undefined },
      approvedBy: { operator: 'ada', id: approver.asked[0]?.id },
      fetchedAt: Date.UTC(2026, 0, 1),
      sources: [{ type: 'git', url: REPOSITORY, commit: COMMIT, fetchedAt: Date.UTC(2026, 0, 1) }],
      files: { first: ['README.md', 'docs-old/batch.md', 'docs/batch.md', 'src/lib.rs'], count: 4 },
    },
  });
  const { hits } = await searchReferences(
    ports,
    { question: 'batch writes notify once', topic: 'signals' },
    never,
  );
  expect(hits[0]).toMatchObject({
    kind: 'chunk',
    id: 'topic-signals/docs/batch.md',
    title: 'Signals › docs/batch.md › Batching',
    text: BATCH,
    citation: {
      uri: `ken://ref/topic-signals@${COMMIT}/docs/batch.md#L1-L3`,
      path: 'docs/batch.md',
      lines: { first: 1, last: 3 },
      commit: COMMIT,
    },
    freshness: { status: 'current', fetched_at: '2026-01-01T00:00:00.000Z' },
    trust: { tier: 'reference', score: 5 },
    labels: { team: 'a' },
    topic: { topic_id: 'topic-signals', status: 'active', is_stale: false },
  });
  expect([...new Set(input.progress.map(({ phase }) => phase))]).toEqual(['received', 'files', 'chunks']);
  expect(await ports.jobs.get(approver.asked[0]?.id ?? '')).toMatchObject({
    state: { status: 'done', result: { data: { topic_id: 'topic-signals', file_count: 4 } } },
  });
});

it('contacts no host before the approval of anyone but the operator', async () => {
  const { ports, approver } = desk(NO, YES);
  const calls: string[] = [];
  const gitReader: typeof ports.gitReader = {
    ...ports.gitReader,
    survey: (...given) => {
      calls.push('survey');
      return ports.gitReader.survey(...given);
    },
    open: (...given) => {
      calls.push('open');
      return ports.gitReader.open(...given);
    },
  };
  expect(await createTopic({ ...ports, gitReader }, createInput(), never)).toMatchObject({ kind: 'denied' });
  expect(calls).toEqual([]);
  expect(approver.asked[0]?.reason).toMatchObject({
    summary: `Sources: o/signals (size unknown until you allow the survey)\ngit ${REPOSITORY}`,
  });
  expect(await createTopic({ ...ports, gitReader }, createInput(), never)).toMatchObject({ kind: 'created' });
  expect(calls).toEqual(['open']);
});

it('finds a topic by other words than its title, and nothing before it is there', async () => {
  const { ports } = desk(YES);
  expect(await searchTopics(ports, { query: 'reactive state' }, never)).toEqual([]);
  const body = 'Fine-grained reactive state for user interfaces.';
  await createTopic(ports, createInput({ body, tags: ['ui'] }), never);
  expect(await searchTopics(ports, { query: 'reactive state' }, never)).toMatchObject([
    { topic_id: 'topic-signals', title: 'Signals', status: 'active', is_stale: false, tags: ['ui'] },
  ]);
});

it('denied: nothing is there, and a smaller request asks again with smaller numbers', async () => {
  const { ports, approver, library } = desk(NO, YES);
  expect(await createTopic(ports, createInput(), never)).toMatchObject({ kind: 'denied' });
  expect(await library.list()).toEqual([]);
  const smaller = createInput({ sources: [gitSource({ paths: ['docs/'] })] });
  expect(await createTopic(ports, { ...smaller, surveysFirst: true }, never)).toMatchObject({
    kind: 'created',
    topic: { file_count: 1 },
  });
  expect(approver.asked[1]?.reason).toMatchObject({
    summary:
      'Sources: o/signals (1 file, bytes unknown, capped at 9.5 MiB, Markdown, filtered from o/signals)\n' +
      `git ${REPOSITORY}, only docs/`,
  });
  expect(await library.filePaths('signals')).toEqual(['docs/batch.md']);
});

it('pending: what is approved later is exactly what was asked for', async () => {
  const { ports, library } = desk();
  const outcome = await createTopic(
    ports,
    createInput({ sources: [gitSource({ paths: ['docs/'] })] }),
    never,
  );
  if (outcome.kind !== 'pending') throw new Error(outcome.kind);
  expect(await library.list()).toEqual([]);
  const { data, message } = await createAsApproved(ports, outcome.approval, async () => {}, never);
  expect(data).toMatchObject({ topic_id: 'topic-signals', file_count: 1 });
  expect(message).toBe('topic-signals: 1 file, 1 chunk.');
});

it('binds the approval to title, text, sources, paths, limits and labels', async () => {
  const { ports, approver } = desk(NO, NO, NO, NO, NO, NO, NO);
  const requests = [
    {},
    { title: 'Signal' },
    { body: 'x' },
    { sources: [gitSource({ ref: 'main' })] },
    { sources: [gitSource({ paths: ['docs/'] })] },
    { limits: { ...LIMITS, maxFiles: 99 } },
    { labels: new Map([['a', 'b']]) },
  ];
  for (const request of requests) await createTopic(ports, createInput(request), never);
  expect(new Set(approver.asked.map(({ digest }) => digest)).size).toBe(requests.length);
});

it('a title that is there is an error that names the topic and its age', async () => {
  const { ports, time, approver } = desk(YES, YES);
  await createTopic(ports, createInput(), never);
  time.now += 3 * 86_400_000;
  await expect(createTopic(ports, createInput({ title: ' SIGNALS ' }), never)).rejects.toMatchObject({
    code: 'references/exists',
    message: 'There is a reference topic "Signals" (topic-signals) already, fetched 3 days ago.',
  });
  expect(approver.asked).toHaveLength(1);
});

it('gives back the place in which it works, whether it succeeds, fails or is cancelled', async () => {
  const { ports, pages, library } = desk(YES, YES, YES);
  let open = 0;
  const counted: typeof library = {
    ...library,
    async stage() {
      const staged = await library.stage();
      open += 1;
      const discard = async () => {
        open -= 1;
        await staged.discard();
      };
      return { ...staged, discard };
    },
  };
  const watched = { ...ports, library: counted };
  await createTopic(watched, createInput(), never);
  expect(open).toBe(0);
  const url = 'https://example.org/empty';
  pages[url] = { body: ' ', contentType: 'text/plain' };
  const empty = createInput({ title: 'Empty', sources: [{ type: 'web', url }] });
  await expect(createTopic(watched, empty, never)).rejects.toMatchObject({ code: 'references/failed' });
  expect(open).toBe(0);
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error('stop'));
  const other = { ...createInput({ title: 'Other' }), onProgress };
  await expect(createTopic(watched, other, stop.signal)).rejects.toThrow('stop');
  expect(open).toBe(0);
});

it('one source that fails is a warning; all of them are an error that leaves nothing', async () => {
  const { ports, library, pages } = desk(YES, YES);
  const web = (url: string) => ({ type: 'web' as const, url });
  const input = createInput({ sources: [web('https://gone.example/'), gitSource()] });
  expect(await createTopic(ports, input, never)).toMatchObject({
    topic: { file_count: 4, warnings: ['https://gone.example/ answered 404 (Not Found)'] },
  });
  const all = createInput({
    title: 'Other',
    sources: [web('https://gone.example/'), web('https://too.example/')],
  });
  await expect(createTopic(ports, all, never)).rejects.toMatchObject({ code: 'net/not-found' });
  expect((await library.list()).map(({ slug }) => slug)).toEqual(['signals']);
  pages['https://gone.example/'] = { body: ' ', contentType: 'text/plain' };
});

it('nothing to fetch is an error before anybody is asked, nothing fetched one after; both say why', async () => {
  const { ports, library, approver } = desk(YES);
  const none = createInput({ sources: [gitSource({ paths: ['logo.png', 'nowhere/'] })] });
  await expect(createTopic(ports, { ...none, surveysFirst: true }, never)).rejects.toMatchObject({
    code: 'references/failed',
    message: `Nothing would be fetched: ${REPOSITORY}: nothing matches the path nowhere/.`,
  });
  expect(approver.asked).toEqual([]);
  const binary = createInput({ sources: [gitSource({ paths: ['bin.dat'] })] });
  await expect(createTopic(ports, binary, never)).rejects.toMatchObject({
    code: 'references/failed',
    message: 'Nothing was fetched; left out: 1 binary.',
  });
  expect(await library.list()).toEqual([]);
});

it('a list of pages is kept as one page, and what it names is offered', async () => {
  const { ports, library, pages } = desk(YES);
  const url = 'https://example.org/llms.txt';
  pages[url] = { body: '# Signals\n\n- [Guide](/guide.md): how to\n', contentType: 'text/plain' };
  expect(await createTopic(ports, createInput({ sources: [{ type: 'web', url }] }), never)).toMatchObject({
    topic: { file_count: 1, offers: ['https://example.org/guide.md'] },
  });
  expect(await library.filePaths('signals')).toEqual(['example-org-llms.md']);
});

it('refuses a page whose address has a password in it', async () => {
  const { ports, approver } = desk(YES);
  const sources = [{ type: 'web' as const, url: 'https://ada:secret@example.org/' }];
  await expect(createTopic(ports, createInput({ sources }), never)).rejects.toMatchObject({
    code: 'references/invalid',
  });
  expect(approver.asked).toEqual([]);
});

it('a limit is a clear error that says which and how to narrow', async () => {
  const { ports, library, repositories } = desk(YES);
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}.md`, `# ${at}\n`]));
  repositories[REPOSITORY] = repositoryOf(many);
  await expect(createTopic(ports, createInput(), never)).rejects.toMatchObject({
    code: 'git/too-many-files',
    hint: expect.stringContaining('references.max_files'),
  });
  expect(await library.list()).toEqual([]);
});

it('two repositories that both have a README.md, and a page, stand beside each other', async () => {
  const { ports, library, repositories, pages } = desk(YES);
  repositories['https://github.com/p/atoms'] = repositoryOf({ 'README.md': '# Atoms\n' });
  pages['https://example.org/guide'] = { body: '<h1>Guide</h1>', contentType: 'text/html', etag: '"1"' };
  const sources = [
    gitSource({ paths: ['README.md'] }),
    { type: 'web' as const, url: 'https://example.org/guide' },
    gitSource({ url: 'https://github.com/p/atoms' }),
  ];
  await createTopic(ports, createInput({ sources }), never);
  expect(await library.filePaths('signals')).toEqual([
    'example-org-guide.md',
    'o-signals/README.md',
    'p-atoms/README.md',
  ]);
  const { files } = await library.lock('signals');
  expect(files.map(({ path, commit, etag, url }) => ({ path, commit, etag, url }))).toEqual([
    { path: 'example-org-guide.md', etag: '"1"', url: 'https://example.org/guide' },
    { path: 'o-signals/README.md', commit: COMMIT },
    { path: 'p-atoms/README.md', commit: COMMIT },
  ]);
});

it('a disk that is full ends the whole, however many sources there are', async () => {
  const { ports, pages, library } = desk(YES);
  pages['https://example.org/guide'] = { body: '# Guide\n', contentType: 'text/markdown' };
  const full: typeof library = {
    ...library,
    async stage() {
      const staged = await library.stage();
      const write: typeof staged.write = async (path, content) => {
        if (path.endsWith('lib.rs')) throw new Fault('files/full', 'The disk is full.');
        return staged.write(path, content);
      };
      return { ...staged, write };
    },
  };
  const sources = [{ type: 'web' as const, url: 'https://example.org/guide' }, gitSource()];
  await expect(
    createTopic({ ...ports, library: full }, createInput({ sources }), never),
  ).rejects.toMatchObject({ code: 'files/full' });
  expect(await library.list()).toEqual([]);
});

it.each([
  'text',
  {},
  { sources: [] },
  { title: 1 },
  { tags: 'x' },
  { labels: [] },
  { max_age_days: '30' },
  { trust_score: null },
  { created_by: {} },
  { limits: { max_files: 1 } },
])('an approval of %j fetches nothing', async (change) => {
  const { ports, library } = desk();
  const outcome = await createTopic(ports, createInput(), never);
  if (outcome.kind !== 'pending') throw new Error(outcome.kind);
  const { approval } = outcome;
  const isWhole = typeof change === 'string' || Object.keys(change).length === 0;
  const request = isWhole ? change : { ...(approval.request as object), ...change };
  await expect(
    createAsApproved(ports, { ...approval, request }, async () => {}, never),
  ).rejects.toBeInstanceOf(Fault);
  expect(await library.list()).toEqual([]);
});

it('stops when it is cancelled, and leaves nothing', async () => {
  const { ports, library } = desk(YES);
  const stop = new AbortController();
  const input = createInput();
  const onProgress = () => stop.abort(new Error('stop'));
  await expect(createTopic(ports, { ...input, onProgress }, stop.signal)).rejects.toThrow('stop');
  expect(await library.list()).toEqual([]);
});
