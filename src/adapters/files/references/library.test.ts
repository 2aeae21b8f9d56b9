import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import type { HeldLock, WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import {
  exampleLock,
  exampleTopic,
  itKeepsReferenceTopics,
} from '../../../domain/references/topic/library.contract.ts';
import type { ReferenceTopic } from '../../../domain/references/topic/topic.ts';
import { fileReferenceLibrary } from './library.ts';

/** Locks of one process: taken twice, they are busy. */
function heldHere(): WriterLocks {
  const taken = new Set<string>();
  return {
    async take(directory): Promise<HeldLock> {
      if (taken.has(directory)) throw new Error(`${directory} is taken`);
      taken.add(directory);
      return {
        release: async () => {
          taken.delete(directory);
        },
      };
    },
  };
}

function place() {
  const root = path.join(temporaryDirectory(), 'references');
  return { root, library: fileReferenceLibrary({ root, locks: heldHere() }) };
}

itKeepsReferenceTopics('A directory', () => place().library);

async function published(files: Record<string, string> = { 'a.md': 'a' }) {
  const { root, library } = place();
  const staged = await library.stage();
  for (const [name, content] of Object.entries(files))
    await staged.write(name, new TextEncoder().encode(content));
  await staged.publish(exampleTopic(), exampleLock(files));
  return { root, library, topic: path.join(root, 'signals') };
}

it('writes what people can read and what the next ken reads back', async () => {
  const { root, topic } = await published();
  expect(readdirSync(root).sort()).toEqual(['.staging', 'signals']);
  expect(readdirSync(topic).sort()).toEqual(['files', 'lock.jsonl', 'topic.md']);
  expect(readFileSync(path.join(topic, 'topic.md'), 'utf8')).toBe(`+++
id = "topic-signals"
title = "Signals"
type = "ReferenceTopic"
created_at = "2025-06-15T15:06:40.000Z"
trust_score = 5
tags = [ "ui", "state" ]
status = "active"
fetched_at = "2025-06-15T15:06:40.000Z"
max_age_days = 30
files = [ "docs/guide.md" ]
file_count = 1

[created_by]
ghost = "ken"
model = "none"

[labels]
team = "garden"

[[sources]]
type = "git"
url = "https://example.org/o/signals"
+++

# Signals

State that tells who reads it.
`);
  expect(readFileSync(path.join(topic, 'lock.jsonl'), 'utf8')).toBe(
    '{"path":"a.md","source":"https://example.org/o/signals","commit":"c0ffee0000000000000000000000000000000000",' +
      `"sha256":"${'1'.padStart(64, 'a')}","bytes":1,"fetched_at":"2025-06-15T15:06:40.000Z"}\n` +
      `{"path":"zero.bin","source":"https://example.org/o/signals","oid":"${'0'.repeat(40)}","bytes":1,"skipped":"binary"}\n`,
  );
});

it('a topic appears with all that is said about it, or not at all', async () => {
  const { root, library } = await published();
  const tags = Array.from({ length: 200_000 }, (_, at) => `tag ${at}`);
  const staged = await library.stage();
  await staged.write('b.md', new TextEncoder().encode('b'));
  const other = { ...exampleTopic(), slug: 'other', tags };
  await expect(staged.publish(other, exampleLock({ 'b.md': 'b' }))).rejects.toThrow('longer than 1 MiB');
  const grown = (topic: ReferenceTopic) => ({ ...topic, tags });
  await expect(staged.replace('signals', grown, exampleLock({ 'b.md': 'b' }))).rejects.toThrow('1 MiB');
  await expect(library.change('signals', grown)).rejects.toThrow('1 MiB');
  await staged.discard();
  expect(readdirSync(root).sort()).toEqual(['.staging', 'signals']);
  expect(readdirSync(path.join(root, '.staging'))).toEqual([]);
  expect(await library.list()).toMatchObject([{ slug: 'signals', topic: exampleTopic() }]);
  expect(await library.filePaths('signals')).toEqual(['a.md']);
});

it('disables a topic that is broken, and no other', async () => {
  const { root, library } = await published();
  mkdirSync(path.join(root, 'broken'));
  writeFileSync(path.join(root, 'broken/topic.md'), '+++\ntitle = \n+++\n');
  mkdirSync(path.join(root, 'empty'));
  writeFileSync(path.join(root, 'file'), 'x');
  symlinkSync('/etc', path.join(root, 'link'));
  mkdirSync(path.join(root, 'Not A Slug'));
  expect(await library.list()).toMatchObject([
    { slug: 'broken', problem: 'topic.md: line 2: invalid value' },
    { slug: 'empty', problem: 'topic.md is missing, or is not a plain file' },
    { slug: 'link', problem: 'it is not a directory' },
    { slug: 'signals', topic: { title: 'Signals' } },
  ]);
  expect(await library.change('broken', (topic) => topic)).toBe(false);
  expect(await library.remove('broken')).toBe(true);
  expect(await library.remove('link')).toBe(true);
  expect(readdirSync('/etc').length).toBeGreaterThan(0);
});

it('follows no link inside a topic', async () => {
  const { root, library, topic } = await published({ 'docs/a.md': 'a' });
  writeFileSync(path.join(root, '../secret.md'), 'secret');
  symlinkSync('../../../secret.md', path.join(topic, 'files/link.md'));
  symlinkSync('../../..', path.join(topic, 'files/up'));
  expect(await library.readFile('signals', 'docs/a.md')).toEqual(Buffer.from('a'));
  expect(await library.readFile('signals', 'link.md')).toBeUndefined();
  expect(await library.readFile('signals', 'up/secret.md')).toBeUndefined();
  expect(await library.filePaths('signals')).toEqual(['docs/a.md']);
  const staged = await library.stage();
  expect(await staged.carry({ slug: 'signals', path: 'link.md' }, 'link.md')).toBe(false);
  await staged.discard();
  renameSync(path.join(topic, 'files'), path.join(topic, 'elsewhere'));
  symlinkSync('elsewhere', path.join(topic, 'files'));
  expect(await library.readFile('signals', 'docs/a.md')).toBeUndefined();
  rmSync(path.join(topic, 'topic.md'));
  symlinkSync('../../secret.md', path.join(topic, 'topic.md'));
  expect(await library.get('signals')).toEqual({
    slug: 'signals',
    problem: 'topic.md is missing, or is not a plain file',
  });
});

it('finds a topic whose process died between taking the old state away and bringing the new one', async () => {
  const { root, library, topic } = await published();
  mkdirSync(path.join(root, '.replaced'));
  renameSync(topic, path.join(root, '.replaced/signals'));
  const again = fileReferenceLibrary({ root, locks: heldHere() });
  expect(await again.list()).toMatchObject([{ slug: 'signals', topic: { title: 'Signals' } }]);
  expect(await again.readFile('signals', 'a.md')).toEqual(Buffer.from('a'));
  expect(await again.tidy()).toBe(1);
  expect(await again.tidy()).toBe(0);
  expect(readdirSync(topic).sort()).toEqual(['files', 'lock.jsonl', 'topic.md']);
  expect(await library.get('signals')).toMatchObject({ topic: { title: 'Signals' } });
});

it('takes away the old state, and stages, of processes that died; not those of the living', async () => {
  const { root, library } = await published();
  mkdirSync(path.join(root, '.replaced/signals/files'), { recursive: true });
  mkdirSync(path.join(root, '.staging/topic-dead/topic/files'), { recursive: true });
  const alive = await library.stage();
  expect(readdirSync(path.join(root, '.staging'))).toHaveLength(1);
  expect(readdirSync(path.join(root, '.replaced'))).toEqual([]);
  await alive.write('b.md', new Uint8Array());
  expect(await library.tidy()).toBe(0);
  expect(await alive.replace('signals', (topic) => topic, exampleLock({}))).toBe(true);
  expect(await library.filePaths('signals')).toEqual(['b.md']);
  expect(readdirSync(path.join(root, '.staging'))).toEqual([]);
});
