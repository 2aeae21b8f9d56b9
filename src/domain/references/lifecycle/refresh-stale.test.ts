import { describe, expect, it } from 'vitest';
import { deny } from '../../approvals/decide-approval.ts';
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
import { refreshAsApproved, refreshStale } from './refresh-stale.ts';
import { refreshTopic } from './refresh-topic.ts';

const DAY = 86_400_000;
const PAGE = 'https://example.org/guide';
const FILES = { 'README.md': '# Signals\n\nfirst words\n', LICENSE: 'MIT\n', 'docs/a.md': 'a\n' };
const REFERENCES = {
  max_files: LIMITS.maxFiles,
  max_bytes: LIMITS.maxBytes,
  max_file_bytes: LIMITS.maxFileBytes,
};

/** A topic of a repository and a page, fetched 40 days ago, and nobody at the terminal. */
async function desk() {
  const made = libraryDesk(YES);
  made.repositories[REPOSITORY] = repositoryOf(FILES);
  made.pages[PAGE] = { body: '<p>page one</p>', contentType: 'text/html', etag: '"1"' };
  const sources = [gitSource(), { type: 'web' as const, url: PAGE }];
  await createTopic(made.ports, createInput({ sources }), never);
  made.time.now += 40 * DAY;
  const approver = {
    isThere: async () => false,
    asksAgain: async () => false,
    ask: async () => ({ verdict: 'nobody' }) as const,
  };
  const ports = { ...made.ports, approver, config: { ...made.ports.config, references: REFERENCES } };
  const refresh = () => refreshStale(ports, { workspace: '/w', actor: 'ken' }, never);
  const pending = () => ports.approvals.list({ statuses: ['pending'] }, made.time.now);
  const text = async (path: string) => new TextDecoder().decode(await made.library.readFile('signals', path));
  const grow = (files: Readonly<Record<string, string>>) => {
    made.repositories[REPOSITORY] = repositoryOf({ ...FILES, ...files }, 2);
  };
  return { ...made, ports, refresh, pending, text, grow };
}

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`docs/new${at}.md`, `new ${at}\n`]));

it('refreshes what is stale and as it was approved, and leaves the rest alone', async () => {
  const { refresh, grow, text, time, pending } = await desk();
  grow({ 'README.md': '# Signals\n\nsecond words\n', 'docs/b.md': 'b\n' });
  expect(await refresh()).toEqual([{ topic: 'topic-signals', result: 'refreshed' }]);
  expect(await text('README.md')).toContain('second words');
  expect(await refresh()).toEqual([]);
  time.now += 40 * DAY;
  expect(await refresh()).toEqual([{ topic: 'topic-signals', result: 'unchanged' }]);
  expect(await pending()).toEqual([]);
});

describe('waits for an approval, and fetches nothing into the topic,', () => {
  it.each([
    ['when there are more than twice as many files', many(4), 'it has 7 files now, and had 3.'],
    ['when there are more than twice as many bytes', { 'docs/a.md': 'x'.repeat(200) }, 'bytes now, and had'],
    ['when the licence has changed', { LICENSE: 'Mine\n' }, 'its licence has changed.'],
    ['when there is another licence', { 'COPYING.md': 'Mine\n' }, 'its licence has changed.'],
  ])('%s', async (_, files, problem) => {
    const { refresh, grow, text, pending } = await desk();
    grow({ 'README.md': 'second words\n', ...files });
    expect(await refresh()).toMatchObject([{ result: 'waits', problem: expect.stringContaining(problem) }]);
    expect(await text('README.md')).toContain('first words');
    const [approval, ...others] = await pending();
    expect(others).toEqual([]);
    expect(approval?.reason).toMatchObject({
      type: 'reference_topic_refresh',
      topic: 'topic-signals',
      summary: expect.stringContaining(problem),
    });
    // Asked once, however often it is looked at.
    await refresh();
    expect(await pending()).toHaveLength(1);
  });

  it('when a page leads to another host, which is not contacted', async () => {
    const { refresh, pages, pending } = await desk();
    pages[PAGE] = { location: 'https://elsewhere.example/guide' };
    expect(await refresh()).toMatchObject([
      { result: 'waits', problem: expect.stringContaining('It redirects to elsewhere.example now') },
    ]);
    expect(await pending()).toHaveLength(1);
  });

  it('when an earlier ken fetched it, and did not note how large it was', async () => {
    const { refresh, grow, library } = await desk();
    await library.change('signals', (topic) => ({
      ...topic,
      sources: topic.sources.map(({ approved: _, ...source }) => source),
    }));
    grow({ 'docs/b.md': 'b\n' });
    expect(await refresh()).toMatchObject([
      { problem: expect.stringContaining('it is not known how large') },
    ]);
  });
});

it('does not grow step by step: what counts is what the operator approved', async () => {
  const { refresh, grow, time, repositories } = await desk();
  grow(many(3));
  expect(await refresh()).toMatchObject([{ result: 'refreshed' }]);
  time.now += 40 * DAY;
  repositories[REPOSITORY] = repositoryOf({ ...FILES, ...many(5) }, 3);
  expect(await refresh()).toMatchObject([{ result: 'waits' }]);
});

it('goes on from what the operator refreshes or approves', async () => {
  const { ports, refresh, grow, pending, text, time, repositories } = await desk();
  grow(many(4));
  await refresh();
  const [approval] = await pending();
  if (!approval) throw new Error('nothing waits');
  await refreshAsApproved(ports, approval, async () => {}, never);
  expect(await text('docs/new3.md')).toBe('new 3\n');
  time.now += 40 * DAY;
  repositories[REPOSITORY] = repositoryOf({ ...FILES, ...many(9) }, 3);
  expect(await refresh()).toMatchObject([{ result: 'refreshed' }]);
});

it('does not run an approval for other sources than were shown, or ask again after a denial', async () => {
  const { ports, refresh, grow, pending, library, time } = await desk();
  grow(many(4));
  await refresh();
  const [approval] = await pending();
  if (!approval) throw new Error('nothing waits');
  await library.change('signals', (topic) => ({
    ...topic,
    sources: topic.sources.map((source) => (source.type === 'git' ? { ...source, paths: ['docs'] } : source)),
  }));
  await expect(refreshAsApproved(ports, approval, async () => {}, never)).rejects.toMatchObject({
    code: 'approvals/unsafe',
  });
  await library.change('signals', (topic) => ({
    ...topic,
    sources: topic.sources.map((source) => (source.type === 'git' ? { ...source, paths: [] } : source)),
  }));
  await deny({ approvals: ports.approvals, clock: { now: () => time.now } }, { approval, by: 'ada' });
  await refresh();
  expect(await pending()).toEqual([]);
});

it('names a source that cannot be reached, and goes on', async () => {
  const { refresh, repositories, pages, ports } = await desk();
  delete repositories[REPOSITORY];
  delete pages[PAGE];
  expect(await refresh()).toMatchObject([{ topic: 'topic-signals', result: 'failed' }]);
  const input = { topic: 'signals', limits: LIMITS };
  await expect(refreshTopic(ports, input, async () => {}, never)).rejects.toThrow();
});
