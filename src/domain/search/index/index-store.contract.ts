import { describe, expect, it } from 'vitest';
import { entriesOf } from '../postings/term-blocks.ts';
import { termFromKey } from '../postings/term-key.ts';
import { indexItems } from './index-items.ts';
import { itKeepsSegmentsAndVectors } from './index-segments.contract.ts';
import type { IndexStore, ItemFilter } from './index-store.ts';
import {
  bodiesWith,
  chunksOf,
  EMBEDDER,
  hashesOf,
  META,
  newItem,
  numbered,
  snapshotFor,
  vectorOf,
} from './test-index.contract.ts';

/** The promises of `IndexStore`; every adapter's test file calls this once. */
export function itKeepsAnIndex(name: string, open: () => IndexStore | Promise<IndexStore>): void {
  itKeepsSegmentsAndVectors(name, open);
  describe(`${name} as an IndexStore`, () => {
    it('is empty at first', async () => {
      const store = await open();
      expect(await store.items('kb')).toEqual(new Map());
      expect(await store.count('kb')).toBe(0);
      expect(await store.revision('kb')).toBeUndefined();
      expect(await store.chunks([0, 1])).toEqual([]);
      expect(await store.segments()).toEqual([]);
      expect(await store.unembedded('test-1', 10)).toEqual([]);
      const snapshot = await snapshotFor(store, ['word'], { paths: ['docs/'] });
      expect(snapshot.lists).toEqual([[]]);
      expect([snapshot.chunkBlocks, snapshot.codeBlocks, snapshot.groups]).toEqual([[], [], []]);
      expect(snapshot.chosen).toEqual(new Int32Array(0));
      expect(snapshot.embedder).toBeUndefined();
    });

    it('gives back chunks with all that is known of them, in the order asked for', async () => {
      const store = await open();
      const one = newItem('one', ['alpha beta', 'gamma'], {
        title: 'Ünï \u0000 title',
        topic: "it's",
        meta: META,
      });
      await indexItems({ store }, { items: [one, newItem('two', ['delta'], { kind: 'turn', source: 'c' })] });
      const numbers = chunksOf(await snapshotFor(store, ['gamma']));
      const [chunk] = await store.chunks([99, ...numbers]);
      expect(chunk).toEqual({
        number: numbers[0],
        ordinal: 1,
        source: 'kb',
        id: 'one',
        kind: 'subject',
        topic: "it's",
        path: 'docs/one.md',
        title: 'Ünï \u0000 title',
        hash: 'hash of alpha beta|gamma',
        meta: META,
        heading: '',
        body: 'gamma',
        firstLine: 2,
        lastLine: 2,
      });
      expect(await store.items('kb')).toEqual(
        new Map([['one', { hash: 'hash of alpha beta|gamma', meta: META }]]),
      );
      expect(await store.itemsAmong('kb', ['none', 'one'])).toEqual(await store.items('kb'));
      expect(await store.itemsAmong('c', ['one'])).toEqual(new Map());
      expect(await store.items('c')).toEqual(new Map([['two', { hash: 'hash of delta', meta: {} }]]));
      expect([await store.count('kb'), await store.count('c'), await store.count('d')]).toEqual([1, 1, 0]);
    });

    it('finds terms of any script in any number of segments', async () => {
      const store = await open();
      const words = ['zebra', 'über', '日本', '𠀀𠀁', 'étude', 'zz', 'ａｂｃ'];
      for (const [at, word] of words.entries()) {
        await indexItems({ store }, { items: [newItem(`i${at}`, [`${word} common filler${at}`])] });
      }
      expect(await bodiesWith(store, 'common')).toHaveLength(words.length);
      for (const term of ['zebra', 'uber', '日本', '𠀀𠀁', 'etud', 'zz', 'abc']) {
        expect(await bodiesWith(store, term), term).toHaveLength(1);
      }
      expect((await snapshotFor(store, ['absent', 'zebr', ''])).lists).toEqual([[], [], []]);
    });

    it('replaces an item whole', async () => {
      const store = await open();
      await indexItems(
        { store },
        { items: [newItem('one', ['old words', 'more old']), newItem('two', ['old too'])] },
      );
      await indexItems({ store }, { items: [newItem('one', ['new words'])] });
      expect(await bodiesWith(store, 'old')).toEqual(['old too']);
      expect(await bodiesWith(store, 'word')).toEqual(['new words']);
      expect(await hashesOf(store, 'kb')).toEqual(
        new Map([
          ['one', 'hash of new words'],
          ['two', 'hash of old too'],
        ]),
      );
    });

    it('removes items, and takes no notice of those that are not there', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word']), newItem('two', ['word two'])] });
      const removed = ['one', 'three'].map((id) => ({ source: 'kb', id }));
      await indexItems({ store }, { removed, items: [] });
      expect(await bodiesWith(store, 'word')).toEqual(['word two']);
      expect([...(await hashesOf(store, 'kb')).keys()]).toEqual(['two']);
    });

    it('keeps an item without chunks by its hash', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('empty', []), newItem('other', ['word'])] });
      expect(await hashesOf(store, 'kb')).toEqual(
        new Map([
          ['empty', 'hash of '],
          ['other', 'hash of word'],
        ]),
      );
      await indexItems({ store }, { items: [newItem('empty', ['word now'])] });
      expect(await bodiesWith(store, 'word')).toEqual(['word', 'word now']);
    });

    it('replaces the meta of items and nothing else, and ignores items that are not there', async () => {
      const store = await open();
      await indexItems(
        { store },
        { items: [newItem('one', ['word'], { meta: META }), newItem('two', ['word two'])] },
      );
      const before = await snapshotFor(store, ['word']);
      const meta = { stamp: 'another' };
      await store.putMeta('kb', new Map(['one', 'three'].map((id) => [id, meta])));
      await store.putMeta('other', new Map([['two', meta]]));
      expect(await store.items('kb')).toEqual(
        new Map([
          ['one', { hash: 'hash of word', meta }],
          ['two', { hash: 'hash of word two', meta: {} }],
        ]),
      );
      expect(await snapshotFor(store, ['word'])).toEqual(before);
      expect((await store.chunks(chunksOf(before))).map((chunk) => chunk.meta)).toEqual([meta, {}]);
    });

    it('replaces the labels of items and nothing else, and ignores items that are not there', async () => {
      const store = await open();
      const labels = new Map([
        ['env', 'prod'],
        ['team', 'a'],
      ]);
      const [one, two] = [newItem('one', ['word'], { labels }), newItem('two', ['word two'], { labels })];
      await indexItems({ store }, { items: [one, two] });
      const before = await store.items('kb');
      const other = new Map([['env', 'test']]);
      await store.putLabels('kb', new Map(['one', 'three'].map((id) => [id, other])));
      await store.putLabels('other', new Map([['two', other]]));
      const having = async (key: string, value: string) => {
        const snapshot = await snapshotFor(store, [], { labels: [{ kind: 'equals', key, value }] });
        return (await store.chunks([...(snapshot.chosen ?? [])].filter((_, at) => at % 2 === 0))).map(
          ({ id }) => id,
        );
      };
      expect([await having('env', 'test'), await having('env', 'prod')]).toEqual([['one'], ['two']]);
      expect(await having('team', 'a')).toEqual(['two']);
      expect(await store.items('kb')).toEqual(before);
    });

    it('keeps the revision of each source until it is cleared', async () => {
      const store = await open();
      await store.putRevision('kb', 'r1');
      await store.putRevision('ledger', 'r2');
      await store.putRevision('kb', '');
      expect([await store.revision('kb'), await store.revision('ledger')]).toEqual(['', 'r2']);
      expect(await store.revision('conversations')).toBeUndefined();
      expect((await snapshotFor(store, [])).groups).toEqual([]);
      await store.clear();
      expect(await store.revision('ledger')).toBeUndefined();
    });

    it('puts into a snapshot what has changed since', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word'])] });
      const first = await snapshotFor(store, []);
      expect(first.chunkBlocks).toHaveLength(1);
      const known = { generation: first.generation, revision: first.revision, codesRevision: first.revision };
      const same = await store.snapshot({ known, terms: [], filter: undefined });
      expect([same.chunkBlocks, same.codeBlocks, same.revision]).toEqual([[], [], first.revision]);
      await store.putVectors(
        EMBEDDER,
        new Map([[chunksOf(await snapshotFor(store, ['word']))[0] ?? -1, vectorOf(1)]]),
      );
      const later = await store.snapshot({ known, terms: [], filter: undefined });
      expect([later.chunkBlocks.length, later.codeBlocks.length]).toEqual([0, 1]);
      const uninterested = { ...known, codesRevision: undefined };
      expect(
        (await store.snapshot({ known: uninterested, terms: [], filter: undefined })).codeBlocks,
      ).toEqual([]);
      await store.clear();
      await indexItems({ store }, { items: [newItem('two', ['word'])] });
      const anew = await store.snapshot({ known, terms: ['word'], filter: undefined });
      expect(anew.generation).not.toBe(first.generation);
      expect(anew.chunkBlocks).toHaveLength(1);
    });

    it('knows the group and the length of every chunk', async () => {
      const store = await open();
      const turn = newItem('t', ['a b c'], { source: 'conversations', kind: 'turn', topic: '' });
      await indexItems({ store }, { items: [newItem('one', ['word', 'two words']), turn] });
      const { groups, chunkBlocks } = await snapshotFor(store, []);
      const [block] = chunkBlocks;
      const groupOf = (chunk: number) => groups.find(({ number }) => number === block?.groups[chunk]);
      expect(groupOf(0)).toMatchObject({ source: 'kb', kind: 'subject', topic: 'project' });
      expect(groupOf(1)).toEqual(groupOf(0));
      expect(groupOf(2)).toMatchObject({ source: 'conversations', kind: 'turn', topic: '' });
      // "docs/one.md" weighs as much as three words of a body.
      expect([...(block?.lengths.slice(0, 4) ?? [])]).toEqual([4, 5, 6, 0]);
    });

    it.each<[string, ItemFilter, string[]]>([
      ['a file', { paths: ['src/a.ts'] }, ['a']],
      ['a directory', { paths: ['src/'] }, ['a', 'b']],
      ['several', { paths: ['src/b.ts', 'src-old/'] }, ['b', 'c']],
      ['no path', { paths: [] }, []],
      ['thousands of files', { paths: [...numbered('x/'), 'src/b.ts'] }, ['b']],
      ['thousands of directories', { paths: [...numbered('x', '/'), 'src-old/', 'path/'] }, ['c']],
      [
        'thousands of labels',
        { labels: numbered('key').map((key) => ({ kind: 'absent', key }) as const) },
        ['a', 'b', 'c'],
      ],
      ['patterns are names', { paths: ['%/', 'src_/'] }, []],
      ['a label', { labels: [{ kind: 'present', key: 'env' }] }, ['a', 'b']],
      ['a value', { labels: [{ kind: 'equals', key: 'env', value: 'prod' }] }, ['a']],
      ['another value', { labels: [{ kind: 'differs', key: 'env', value: 'prod' }] }, ['b', 'c']],
      ['no label', { labels: [{ kind: 'absent', key: 'env' }] }, ['c']],
      ['one of', { labels: [{ kind: 'in', key: 'env', values: ['prod', "d'ev"] }] }, ['a', 'b']],
      ['none of', { labels: [{ kind: 'not-in', key: 'env', values: ['prod'] }] }, ['b', 'c']],
      [
        'ids',
        {
          ids: [
            { source: 'kb', id: 'c' },
            { source: 'x', id: 'a' },
          ],
        },
        ['c'],
      ],
      ['all of it', { paths: ['src/'], labels: [{ kind: 'equals', key: 'env', value: "d'ev" }] }, ['b']],
    ])('chooses items by %s', async (_, filter, expected) => {
      const store = await open();
      const items = [
        newItem('a', ['word', 'word'], {
          path: 'src/a.ts',
          labels: new Map([
            ['env', 'prod'],
            ['x', ''],
          ]),
        }),
        newItem('b', ['word'], { path: 'src/b.ts', labels: new Map([['env', "d'ev"]]) }),
        newItem('c', ['word'], { path: 'src-old/c.ts' }),
      ];
      await indexItems({ store }, { items });
      const { chosen = new Int32Array(0) } = await snapshotFor(store, [], filter);
      const numbers = [...chosen].flatMap((first, at) =>
        at % 2 === 0 ? Array.from({ length: chosen[at + 1] ?? 0 }, (_, offset) => first + offset) : [],
      );
      const chunks = await store.chunks(numbers);
      expect([...new Set(chunks.map(({ id }) => id))].sort()).toEqual(expected);
    });

    it('lists the blocks that may hold terms with a prefix', async () => {
      const store = await open();
      const words = Array.from({ length: 3000 }, (_, at) => `word${at} other${at}`);
      await indexItems({ store }, { items: [newItem('many', words)] });
      const blocks = await store.termBlocks('word12', 1000);
      const terms = blocks.flatMap(({ content }) =>
        [...entriesOf(content)].map(({ key }) => termFromKey(key)),
      );
      expect(terms.filter((term) => term.startsWith('word12'))).toHaveLength(111);
      expect(blocks.length).toBeLessThan(20);
      expect(await store.termBlocks('word', 2)).toHaveLength(2);
      expect((await store.termBlocks('zzz', 5)).length).toBeLessThanOrEqual(1);
    });

    it('keeps what two writers do at once', async () => {
      const store = await open();
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          indexItems({ store }, { items: [newItem(`i${at}`, ['word'])] }),
        ),
      );
      expect(await bodiesWith(store, 'word')).toHaveLength(10);
      expect((await hashesOf(store, 'kb')).size).toBe(10);
    });

    it('forgets everything when it is cleared', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word'])] });
      await store.clear();
      expect(await hashesOf(store, 'kb')).toEqual(new Map());
      expect(await bodiesWith(store, 'word')).toEqual([]);
      await indexItems({ store }, { items: [newItem('one', ['word again'])] });
      expect(await bodiesWith(store, 'word')).toEqual(['word again']);
    });
  });
}
