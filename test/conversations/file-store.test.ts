import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { fileConversationStore } from '../../src/adapters/files/conversations/conversation-store.ts';
import { sqliteWriterLocks } from '../../src/adapters/sqlite/seam/writer-locks.ts';
import type { Metadata } from '../../src/domain/conversations/conversation.ts';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import type { ConversationEvent } from '../../src/domain/conversations/event.ts';
import { itKeepsConversations } from '../../src/domain/conversations/store.contract.ts';
import { sandbox } from '../cli/ken.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const START = 1_790_000_000_000;
const clock = { now: () => START };
const id = conversationIdAt(clock.now(), 'abcd');
const said = (text: string): ConversationEvent => ({
  type: 'user_message',
  at: '2026-01-01T00:00:00.000Z',
  text,
});

function storeIn(directory: string, warnings: string[] = [], now: () => number = Date.now) {
  const rootOf = (name: string) => ({
    directory: path.join(directory, name),
    list: path.join(directory, `${name}.list`),
  });
  return fileConversationStore({
    shared: rootOf('shared'),
    local: rootOf('local'),
    locks: sqliteWriterLocks(clock),
    clock: { now },
    warn: (text) => warnings.push(text),
  });
}

async function created(directory: string, warnings: string[] = [], now?: () => number) {
  const store = storeIn(directory, warnings, now);
  const times = { createdAt: clock.now(), activeAt: clock.now() };
  const metadata = { ...times, labels: new Map<string, string>(), others: {} };
  await store.create({ id, isLocal: false, metadata, baseConfig: {}, events: [said('first')] });
  return {
    store,
    log: path.join(directory, 'shared', id, 'events.jsonl'),
    directory: path.join(directory, 'shared', id),
  };
}

itKeepsConversations('files', () => storeIn(temporaryDirectory()));

it('sets a torn last line aside, whatever it is, and loses nothing before it', async () => {
  const warnings: string[] = [];
  const { store, log, directory } = await created(temporaryDirectory(), warnings);
  for (const torn of ['{"type":"user_mess', '\u{1f600}'.slice(0, 1), '{}']) {
    appendFileSync(log, torn);
    expect((await store.log(id))?.torn).toBeDefined();
    const writer = await store.write(id);
    await writer?.append([said(torn.length.toString())]);
    await writer?.release();
  }
  expect((await store.log(id))?.events.map((event) => 'text' in event && event.text)).toEqual([
    'first',
    '18',
    '1',
    '2',
  ]);
  expect(readdirSync(directory).filter((name) => name.includes('torn'))).toHaveLength(3);
  expect(readFileSync(path.join(directory, 'events.torn-1'), 'utf8')).toBe('{"type":"user_mess');
  expect(warnings).toHaveLength(3);
});

it('passes over lines that are no events, and says which', async () => {
  const { store, log } = await created(temporaryDirectory());
  appendFileSync(log, 'not json\n[1]\n\n');
  expect(await store.log(id)).toEqual({ events: [said('first')], unreadable: [2, 3] });
});

it('is not led out by links, and takes no name that is no id', async () => {
  const directory = temporaryDirectory();
  const { store } = await created(directory);
  const outside = path.join(directory, 'outside');
  mkdirSync(outside);
  const linked = conversationIdAt(clock.now() + 1, 'abcd');
  symlinkSync(outside, path.join(directory, 'shared', linked));
  mkdirSync(path.join(directory, 'shared', '.new-leftover'));
  writeFileSync(path.join(directory, 'shared', 'README'), '');
  expect(await store.get(linked)).toBeUndefined();
  expect((await store.list({ labels: [], archived: 'with', local: 'with' })).map((each) => each.id)).toEqual([
    id,
  ]);
});

it('does not read through links under the names of its files', async () => {
  const directory = temporaryDirectory();
  const { store, directory: own, log } = await created(directory);
  const secret = path.join(directory, 'secret');
  writeFileSync(secret, '{"created_at":"2026-01-01T00:00:00.000Z"}\n');
  for (const name of ['metadata.json', 'base_config.json', 'events.jsonl']) {
    rmSync(path.join(own, name));
    symlinkSync(secret, path.join(own, name));
  }
  const refused = { code: 'files/refused' };
  const linkAt = (file: string) => `${file} is a symbolic link, which ken does not follow here.`;
  await expect(store.get(id)).rejects.toMatchObject(refused);
  await expect(store.baseConfig(id)).rejects.toMatchObject(refused);
  await expect(store.log(id)).rejects.toMatchObject({ ...refused, message: linkAt(log) });
  await expect(store.scan(id, undefined)).rejects.toMatchObject(refused);
  await expect(store.write(id)).rejects.toMatchObject(refused);
  expect(await store.list({ labels: [], archived: 'with', local: 'with' })).toEqual([]);
  const troubles = await store.troubles(new AbortController().signal);
  expect(troubles.map(({ kind }) => kind)).toEqual(['metadata', 'log']);
});

it('does not wait at a pipe in the place of a log, and says when there is none', async () => {
  const { store, log } = await created(temporaryDirectory());
  rmSync(log);
  await expect(store.log(id)).rejects.toMatchObject({ message: `${log} cannot be read: it does not exist.` });
  execFileSync('mkfifo', [log]);
  await expect(store.log(id)).rejects.toMatchObject({
    message: `${log} is a pipe, not a plain file.`,
  });
});

it('does not follow a link under the name of its log or its lock', async () => {
  const directory = temporaryDirectory();
  const { store, directory: own } = await created(directory);
  const victim = path.join(directory, 'victim');
  writeFileSync(victim, 'precious');
  symlinkSync(victim, path.join(own, '.writer.lock'));
  await expect(store.write(id)).rejects.toMatchObject({ code: 'files/refused' });
  expect(readFileSync(victim, 'utf8')).toBe('precious');
});

it('takes a lock file that is no lock for what it is', async () => {
  const { store, directory } = await created(temporaryDirectory());
  writeFileSync(path.join(directory, '.writer.lock'), 'x'.repeat(4096));
  const writer = await store.write(id);
  await expect(store.write(id)).rejects.toMatchObject({ code: 'conversations/busy' });
  await writer?.release();
});

it('lists from its list, and notices within half a minute what changed behind its back', async () => {
  let now = Date.now() + 1000;
  const { store, directory: own } = await created(temporaryDirectory(), [], () => now);
  const listed = async () => (await store.list(all))[0]?.metadata.title;
  expect(await listed()).toBeUndefined();
  const file = path.join(own, 'metadata.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...json, title: 'edited' }));
  now += 29_000;
  expect(await listed()).toBeUndefined();
  now += 1000;
  expect(await listed()).toBe('edited');
  writeFileSync(file, '{ broken');
  now += 30_000;
  expect(await store.list(all)).toEqual([]);
});

it('believes no list from the future, and none that was made in the same moment', async () => {
  let now = Date.now();
  const { store, directory: own } = await created(temporaryDirectory(), [], () => now);
  const file = path.join(own, 'metadata.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as object;
  for (const [title, later] of Object.entries({ first: 0, second: 60_000, third: -60_000 })) {
    writeFileSync(file, JSON.stringify({ ...json, title }));
    now += later;
    const [only] = await store.list({ labels: [], archived: 'with', local: 'with' });
    expect(only?.metadata.title).toBe(title);
  }
});

const all = { labels: [], archived: 'with', local: 'with' } as const;

it('keeps in its list all that there is about a conversation', async () => {
  const directory = temporaryDirectory();
  const store = storeIn(directory, [], () => Date.now() + 1000);
  const times = { createdAt: START, activeAt: START + 1 };
  const labels = (...pairs: [string, string][]) => new Map(pairs);
  const wanted: Metadata[] = [
    {
      ...times,
      labels: labels(['branch', 'main'], ['wip', '']),
      others: {},
      title: 'Tea \u{1f375} "or"\nnot',
    },
    { ...times, labels: labels(['branch', 'main'], ['wip', '']), others: { theirs: [1, { deep: null }] } },
    { ...times, labels: labels(), others: {}, pinnedAt: START, archivedAt: START + 2, parent: id, title: '' },
  ];
  for (const [at, metadata] of wanted.entries()) {
    const own = conversationIdAt(START + at, 'abcd');
    await store.create({ id: own, isLocal: false, metadata, baseConfig: {}, events: [] });
  }
  const plain = (metadata: Metadata | undefined) =>
    metadata && { ...metadata, labels: new Map(metadata.labels) };
  const listed = async () => (await store.list(all)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await listed();
  writeFileSync(path.join(directory, 'shared', id, 'metadata.json'), '{ not looked at');
  expect((await listed()).map(({ metadata }) => plain(metadata))).toEqual(wanted);
});

it.each([
  '',
  'x',
  '{}\n[]\n[]\n{}\n',
  '{"directory":"DIRECTORY","at":NOW,"state":"STATE"}\n[["../../etc"],[1],[1],[""],[0]]\n["{}"]\n{}\n1',
  '{"directory":"DIRECTORY"}\n[[1],[1],[1]]\n7\n7\n7',
])('makes a list again that is none: %j', async (content) => {
  const directory = temporaryDirectory();
  const { store } = await created(directory);
  const root = path.join(directory, 'shared');
  const { ino, mtimeMs, nlink } = statSync(root);
  const text = content
    .replace('DIRECTORY', root)
    .replace('NOW', String(Date.now()))
    .replace('STATE', `${ino}-${mtimeMs}-${nlink}`);
  writeFileSync(path.join(directory, 'shared.list'), text);
  expect((await store.list(all)).map((each) => each.id)).toEqual([id]);
});

it('lists where no list can be kept', async () => {
  const directory = temporaryDirectory();
  const { store } = await created(directory);
  mkdirSync(path.join(directory, 'shared.list'));
  expect((await store.list(all)).map((each) => each.id)).toEqual([id]);
  expect(readdirSync(directory).sort()).toEqual(['shared', 'shared.list']);
});

it('scans without reading what cannot hold the fragment, and not what is torn', async () => {
  const { store, log } = await created(temporaryDirectory());
  const line = (text: string) =>
    JSON.stringify({ type: 'user_message', at: '2026-01-01T00:00:00.000Z', text });
  const escaped = line('spaced').replace('spaced', '\\u006eeedle');
  appendFileSync(
    log,
    `${line('hay')}\nno json needle\n${escaped}\n${line('needle')}\n${line('needle torn')}`,
  );
  const texts = async (fragment?: string) =>
    [...((await store.scan(id, fragment)) ?? [])].map((event) => 'text' in event && event.text);
  expect(await texts('needle')).toEqual(['needle', 'needle']);
  expect(await texts('hay')).toEqual(['hay', 'needle']);
  expect(await texts()).toEqual(['first', 'hay', 'needle', 'needle']);
});

it('keeps what is not in the workspace readable by its owner alone, whatever the umask', async () => {
  const place = sandbox('');
  expect(await place.shell('umask 000; ken q -n --local "private words"')).toMatchObject({ code: 0 });
  const entries = readdirSync(path.join(place.home, 'data'), { recursive: true, withFileTypes: true });
  // SQLite makes the lock, which is empty.
  const kept = entries.filter(({ name }) => name !== '.writer.lock');
  const modes = new Set(
    kept.map((entry) => {
      const { mode } = statSync(path.join(entry.parentPath, entry.name));
      return `${entry.isDirectory() ? 'directory' : 'file'} ${(mode & 0o777).toString(8)}`;
    }),
  );
  expect([...modes].sort()).toEqual(['directory 700', 'file 600']);
});
