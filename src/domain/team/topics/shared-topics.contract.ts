import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NewSharedTopic, SharedTopics } from './shared-topics.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export function exampleShared(id: string, files: Readonly<Record<string, string>>): NewSharedTopic {
  const contents = new Map(
    Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]),
  );
  return { id, about: { title: `About ${id}` }, contents, digest: sha256(JSON.stringify([id, files])) };
}

/** The promises of every store of shared topics. `open` makes an empty one. */
export function itSharesTopics(name: string, open: () => Promise<SharedTopics>): void {
  const texts = (contents: ReadonlyMap<string, Uint8Array>) =>
    Object.fromEntries([...contents].map(([path, bytes]) => [path, new TextDecoder().decode(bytes)]));

  describe(`shared topics: ${name}`, () => {
    it('keeps a topic whole: what is said about it, and every file', async () => {
      const topics = await open();
      const boats = exampleShared('boats', { 'b.md': 'B\n', 'a/.c.md': '', 'line\nend.md': 'B\n' });
      expect(await topics.put(boats, undefined)).toBe(true);
      expect(await topics.get('boats')).toEqual({
        id: 'boats',
        about: { title: 'About boats' },
        digest: boats.digest,
        files: [
          { path: 'a/.c.md', sha256: sha256(''), bytes: 0 },
          { path: 'b.md', sha256: sha256('B\n'), bytes: 2 },
          { path: 'line\nend.md', sha256: sha256('B\n'), bytes: 2 },
        ],
      });
      expect(texts(await topics.contents('boats'))).toEqual({
        'a/.c.md': '',
        'b.md': 'B\n',
        'line\nend.md': 'B\n',
      });
    });

    it('keeps any character of what is said about a topic', async () => {
      const topics = await open();
      const about = { title: 'a\0b', introduction: '\ud83d\ude80 "x"', description: '\n' };
      await topics.put({ ...exampleShared('odd', {}), about }, undefined);
      expect((await topics.get('odd'))?.about).toEqual(about);
    });

    it('has nothing to say about what is not there', async () => {
      const topics = await open();
      expect([...(await topics.digests())]).toEqual([]);
      expect(await topics.get('boats')).toBeUndefined();
      expect(await topics.contents('boats')).toEqual(new Map());
      expect(await topics.remove('boats')).toBe(false);
    });

    it('replaces a topic only as it was known', async () => {
      const topics = await open();
      const [first, second] = [
        exampleShared('boats', { a: '1', b: '2' }),
        exampleShared('boats', { b: '2', c: '3' }),
      ];
      expect(await topics.put(first, 'something')).toBe(false);
      expect(await topics.put(first, undefined)).toBe(true);
      expect(await topics.put(second, undefined)).toBe(false);
      expect(await topics.put(second, second.digest)).toBe(false);
      expect(texts(await topics.contents('boats'))).toEqual({ a: '1', b: '2' });
      expect(await topics.put(second, first.digest)).toBe(true);
      expect(texts(await topics.contents('boats'))).toEqual({ b: '2', c: '3' });
    });

    it('lets one of several in that replace the same state at once', async () => {
      const topics = await open();
      const puts = Array.from({ length: 6 }, (_, at) =>
        topics.put(exampleShared('boats', { a: String(at) }), undefined),
      );
      expect((await Promise.all(puts)).filter((isPut) => isPut)).toEqual([true]);
    });

    it('lists by id, and removes one of several', async () => {
      const topics = await open();
      for (const id of ['c', 'a-b', 'a']) await topics.put(exampleShared(id, { f: id }), undefined);
      expect([...(await topics.digests()).keys()]).toEqual(['a', 'a-b', 'c']);
      expect(await topics.remove('a-b')).toBe(true);
      expect(await topics.remove('a-b')).toBe(false);
      expect([...(await topics.digests()).keys()]).toEqual(['a', 'c']);
      expect(texts(await topics.contents('a'))).toEqual({ f: 'a' });
    });
  });
}
