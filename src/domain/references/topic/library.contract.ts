import { describe, expect, it } from 'vitest';
import type { ReferenceLibrary } from './library.ts';
import type { TopicLock } from './lock.ts';
import { fileListOf, type ReferenceTopic, topicId } from './topic.ts';

export const FETCHED = 1_750_000_000_000;

export function exampleTopic(changes: Partial<ReferenceTopic> = {}): ReferenceTopic {
  return {
    slug: 'signals',
    title: 'Signals',
    body: '# Signals\n\nState that tells who reads it.',
    tags: ['ui', 'state'],
    labels: new Map([['team', 'garden']]),
    status: 'active',
    createdAt: FETCHED,
    createdBy: { ghost: 'ken', model: undefined, unknown: {} },
    fetchedAt: FETCHED,
    maxAgeDays: 30,
    trustScore: 5,
    sources: [{ type: 'git', url: 'https://example.org/o/signals', paths: [], unknown: {} }],
    files: fileListOf(['docs/guide.md']),
    changes: [],
    unknown: {},
    ...changes,
  };
}

/** Digests in it are made up. */
export function exampleLock(files: Readonly<Record<string, string>>): TopicLock {
  const source = 'https://example.org/o/signals';
  const locked = Object.entries(files)
    .map(([path, content]) => ({
      path,
      source,
      commit: 'c0ffee0000000000000000000000000000000000',
      sha256: content.length.toString(16).padStart(64, 'a'),
      bytes: content.length,
      fetchedAt: FETCHED,
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const skipped = { path: 'zero.bin', source, oid: '0'.repeat(40), bytes: 1, reason: 'binary' as const };
  return { files: locked, skipped: [skipped] };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (content: Uint8Array | undefined) => content && new TextDecoder().decode(content);

/** The promises of every library. */
export function itKeepsReferenceTopics(name: string, open: () => ReferenceLibrary): void {
  describe(`${name} as a reference library`, () => {
    const publish = async (library: ReferenceLibrary, files: Record<string, string>, slug = 'signals') => {
      const staged = await library.stage();
      for (const [path, content] of Object.entries(files)) await staged.write(path, bytes(content));
      const isNew = await staged.publish(exampleTopic({ slug }), exampleLock(files));
      await staged.discard();
      return isNew;
    };

    it('shows a topic only when it is published, and then whole', async () => {
      const library = open();
      const staged = await library.stage();
      expect(await staged.write('docs/guide.md', bytes('# Guide\n'))).toBe('written');
      expect(await library.list()).toEqual([]);
      const lock = exampleLock({ 'docs/guide.md': '# Guide\n' });
      expect(await staged.publish(exampleTopic(), lock)).toBe(true);
      await staged.discard();

      expect(await library.list()).toMatchObject([{ slug: 'signals', topic: exampleTopic() }]);
      expect(await library.get('signals')).toMatchObject({ topic: exampleTopic() });
      expect(await library.lock('signals')).toEqual({ ...lock, broken: 0 });
      expect(text(await library.readFile('signals', 'docs/guide.md'))).toBe('# Guide\n');
      expect(await library.filePaths('signals')).toEqual(['docs/guide.md']);
    });

    it('has nothing to say about what is not there', async () => {
      const library = open();
      expect(await library.list()).toEqual([]);
      expect(await library.get('signals')).toBeUndefined();
      expect(await library.get('../signals')).toBeUndefined();
      expect(await library.lock('signals')).toEqual({ files: [], skipped: [], broken: 0 });
      expect(await library.readFile('signals', 'a')).toBeUndefined();
      expect(await library.filePaths('signals')).toEqual([]);
      expect(await library.change('signals', (topic) => topic)).toBe(false);
      expect(await library.remove('signals')).toBe(false);
      expect(await library.tidy()).toBe(0);
    });

    it('forgets what is discarded', async () => {
      const library = open();
      const staged = await library.stage();
      await staged.write('a', bytes('a'));
      await staged.discard();
      await staged.discard();
      expect(await library.list()).toEqual([]);
      expect(await library.tidy()).toBe(0);
    });

    it('never publishes over a topic', async () => {
      const library = open();
      expect(await publish(library, { a: 'first' })).toBe(true);
      expect(await publish(library, { a: 'second' })).toBe(false);
      expect(text(await library.readFile('signals', 'a'))).toBe('first');
    });

    it('tells when a name is taken, also by a directory', async () => {
      const staged = await open().stage();
      expect(await staged.write('a', bytes('1'))).toBe('written');
      expect(await staged.write('a', bytes('2'))).toBe('taken');
      expect(await staged.write('a/b', bytes('3'))).toBe('taken');
      expect(await staged.write('c/d', bytes('4'))).toBe('written');
      expect(await staged.write('c', bytes('5'))).toBe('taken');
      await staged.discard();
    });

    it('takes a file out again, and its name is free', async () => {
      const library = open();
      const staged = await library.stage();
      await staged.write('a/b', bytes('1'));
      await staged.drop('a/b');
      await staged.drop('a/c');
      expect(await staged.write('a/b', bytes('2'))).toBe('written');
      await staged.write('a/d', bytes('3'));
      await staged.drop('a/d');
      await staged.publish(exampleTopic(), exampleLock({ 'a/b': '2' }));
      expect(await library.filePaths('signals')).toEqual(['a/b']);
      expect(text(await library.readFile('signals', 'a/b'))).toBe('2');
    });

    it.each(['../a', '/a', 'a/../../b', '', 'a\\b', 'a\0b', '.git/config', '.GIT', 'a//b', './a'])(
      'keeps nothing under the name %j',
      async (name) => {
        const staged = await open().stage();
        await expect(staged.write(name, bytes('x'))).rejects.toThrow();
        await staged.discard();
        expect(await open().readFile('signals', name)).toBeUndefined();
      },
    );

    it('keeps what would lead elsewhere on other systems as the plain names they are here', async () => {
      const library = open();
      const files = { '..%2fa': '1', 'C:/b': '2', 'a.md:c': '3', '．．/d': '4', '~/e': '5' };
      expect(await publish(library, files)).toBe(true);
      expect([...(await library.filePaths('signals'))].sort()).toEqual(Object.keys(files).sort());
      for (const [name, content] of Object.entries(files))
        expect(text(await library.readFile('signals', name))).toBe(content);
    });

    it('replaces a topic whole: what was carried over, what is new, and nothing else', async () => {
      const library = open();
      await publish(library, { same: 'same', moved: 'moved', gone: 'gone', changed: 'old' });
      const before = await library.get('signals');
      const staged = await library.stage();
      expect(await staged.carry({ slug: 'signals', path: 'same' }, 'same')).toBe(true);
      expect(await staged.carry({ slug: 'signals', path: 'moved' }, 'there/moved')).toBe(true);
      expect(await staged.carry({ slug: 'signals', path: 'absent' }, 'absent')).toBe(false);
      expect(await staged.carry({ slug: 'signals', path: 'gone' }, 'same')).toBe(false);
      expect(await staged.write('changed', bytes('new'))).toBe('written');
      const lock = exampleLock({ same: 'same', 'there/moved': 'moved', changed: 'new' });
      expect(await staged.replace('signals', (topic) => ({ ...topic, maxAgeDays: 9 }), lock)).toBe(true);
      await staged.discard();

      expect(await library.filePaths('signals')).toEqual(['changed', 'same', 'there/moved']);
      expect(text(await library.readFile('signals', 'there/moved'))).toBe('moved');
      expect(text(await library.readFile('signals', 'changed'))).toBe('new');
      const after = await library.get('signals');
      expect(after).toMatchObject({ topic: { ...exampleTopic(), maxAgeDays: 9 } });
      expect(after).not.toMatchObject({ stamp: before && 'stamp' in before ? before.stamp : '' });
      expect(await library.tidy()).toBe(0);
    });

    it('replaces nothing that is gone', async () => {
      const library = open();
      const staged = await library.stage();
      expect(await staged.replace('signals', (topic) => topic, exampleLock({}))).toBe(false);
      await staged.discard();
      expect(await library.list()).toEqual([]);
    });

    it('changes what is said about a topic, and leaves its files alone', async () => {
      const library = open();
      await publish(library, { a: 'a' });
      const before = await library.get('signals');
      expect(await library.change('signals', (topic) => ({ ...topic, tags: ['new'] }))).toBe(true);
      expect(await library.get('signals')).toEqual({
        ...before,
        topic: { ...exampleTopic(), tags: ['new'] },
      });
      expect(await library.filePaths('signals')).toEqual(['a']);
    });

    it('lists by slug, and removes one of several', async () => {
      const library = open();
      for (const slug of ['c', 'a-b', 'a']) await publish(library, { f: slug }, slug);
      const slugs = async () => (await library.list()).map(({ slug }) => topicId({ slug }));
      expect(await slugs()).toEqual(['topic-a', 'topic-a-b', 'topic-c']);
      expect(await library.remove('a-b')).toBe(true);
      expect(await library.remove('a-b')).toBe(false);
      expect(await slugs()).toEqual(['topic-a', 'topic-c']);
    });
  });
}
