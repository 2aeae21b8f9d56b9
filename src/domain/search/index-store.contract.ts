import { describe, expect, it } from 'vitest';
import { BLOCK_SIZE } from './chunk-blocks.ts';
import type { IndexItem } from './index-item.ts';
import { indexItems } from './index-items.ts';
import type { IndexStore, ItemFilter, Look } from './index-store.ts';
import { mergeSegments } from './postings/merge-segments.ts';
import { Postings } from './postings/posting-list.ts';
import { entriesOf } from './postings/term-blocks.ts';
import { termFromKey } from './postings/term-key.ts';
import { tidyIndex } from './tidy-index.ts';
import { codeOf } from './vectors/quantise.ts';

/** An item with one chunk for each body. */
export function newItem(id: string, bodies: readonly string[], given: Partial<IndexItem> = {}): IndexItem {
  return {
    source: 'kb',
    id,
    kind: 'subject',
    topic: 'project',
    path: `docs/${id}.md`,
    title: '',
    hash: `hash of ${bodies.join('|')}`,
    labels: new Map(),
    chunks: bodies.map((body, at) => ({ heading: '', body, firstLine: at + 1, lastLine: at + 1 })),
    ...given,
  };
}

const FRESH = { generation: '', revision: 0, codesRevision: 0 };
const EMBEDDER = { fingerprint: 'test-1', dimension: 64 };

const lookFor = (store: IndexStore, terms: readonly string[], filter?: ItemFilter) =>
  store.look({ known: FRESH, terms, filter });

/** The chunks that have a term and are still there. */
function chunksOf(look: Look, term = 0): number[] {
  const found = new Postings();
  for (const { base, bytes } of look.lists[term] ?? []) found.addEncoded(bytes, base);
  const isPresent = (chunk: number) =>
    look.chunkBlocks.some(
      ({ number, present }) => number === Math.floor(chunk / BLOCK_SIZE) && present[chunk % BLOCK_SIZE] === 1,
    );
  return [...found.chunks.slice(0, found.count)].filter(isPresent);
}

async function bodiesWith(store: IndexStore, term: string): Promise<string[]> {
  const chunks = await store.chunks(chunksOf(await lookFor(store, [term])));
  return chunks.map(({ body }) => body).sort();
}

function numbered(before: string, after = ''): string[] {
  return Array.from({ length: 4000 }, (_, at) => `${before}${at}${after}`);
}

function vectorOf(first: number): Int8Array {
  return Int8Array.from({ length: 64 }, (_, at) => (at === 0 ? first : at % 2 === 0 ? 5 : -5));
}

/** The promises of `IndexStore`; every adapter's test file calls this once. */
export function itKeepsAnIndex(name: string, open: () => IndexStore | Promise<IndexStore>): void {
  describe(`${name} as an IndexStore`, () => {
    it('is empty at first', async () => {
      const store = await open();
      expect(await store.hashes('kb')).toEqual(new Map());
      expect(await store.chunks([0, 1])).toEqual([]);
      expect(await store.segments()).toEqual([]);
      expect(await store.unembedded('test-1', 10)).toEqual([]);
      const look = await lookFor(store, ['word'], { paths: ['docs/'] });
      expect(look.lists).toEqual([[]]);
      expect([look.chunkBlocks, look.codeBlocks, look.groups]).toEqual([[], [], []]);
      expect(look.chosen).toEqual(new Int32Array(0));
      expect(look.embedder).toBeUndefined();
    });

    it('gives back chunks with all that is known of them, in the order asked for', async () => {
      const store = await open();
      const one = newItem('one', ['alpha beta', 'gamma'], { title: 'Ünï \u0000 title', topic: "it's" });
      await indexItems({ store }, { items: [one, newItem('two', ['delta'], { kind: 'turn', source: 'c' })] });
      const numbers = chunksOf(await lookFor(store, ['gamma']));
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
        heading: '',
        body: 'gamma',
        firstLine: 2,
        lastLine: 2,
      });
      expect(await store.hashes('kb')).toEqual(new Map([['one', 'hash of alpha beta|gamma']]));
      expect(await store.hashes('c')).toEqual(new Map([['two', 'hash of delta']]));
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
      expect((await lookFor(store, ['absent', 'zebr', ''])).lists).toEqual([[], [], []]);
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
      expect(await store.hashes('kb')).toEqual(
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
      expect([...(await store.hashes('kb')).keys()]).toEqual(['two']);
    });

    it('keeps an item without chunks by its hash', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('empty', []), newItem('other', ['word'])] });
      expect(await store.hashes('kb')).toEqual(
        new Map([
          ['empty', 'hash of '],
          ['other', 'hash of word'],
        ]),
      );
      await indexItems({ store }, { items: [newItem('empty', ['word now'])] });
      expect(await bodiesWith(store, 'word')).toEqual(['word', 'word now']);
    });

    it('gives items another hash, and takes no notice of those that are not there', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word']), newItem('two', ['word two'])] });
      const before = await lookFor(store, ['word']);
      const hashes = new Map([
        ['one', 'new'],
        ['three', 'new'],
      ]);
      await store.rehash('kb', hashes);
      await store.rehash('other', new Map([['two', 'new']]));
      expect(await store.hashes('kb')).toEqual(
        new Map([
          ['one', 'new'],
          ['two', 'hash of word two'],
        ]),
      );
      expect(await lookFor(store, ['word'])).toEqual(before);
      expect((await store.chunks(chunksOf(before))).map(({ hash }) => hash)).toEqual([
        'new',
        'hash of word two',
      ]);
    });

    it('answers a look with what has changed since', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word'])] });
      const first = await lookFor(store, []);
      expect(first.chunkBlocks).toHaveLength(1);
      const known = { generation: first.generation, revision: first.revision, codesRevision: first.revision };
      const same = await store.look({ known, terms: [], filter: undefined });
      expect([same.chunkBlocks, same.codeBlocks, same.revision]).toEqual([[], [], first.revision]);
      await store.putVectors(
        EMBEDDER,
        new Map([[chunksOf(await lookFor(store, ['word']))[0] ?? -1, vectorOf(1)]]),
      );
      const later = await store.look({ known, terms: [], filter: undefined });
      expect([later.chunkBlocks.length, later.codeBlocks.length]).toEqual([0, 1]);
      const uninterested = { ...known, codesRevision: undefined };
      expect((await store.look({ known: uninterested, terms: [], filter: undefined })).codeBlocks).toEqual(
        [],
      );
      await store.clear();
      await indexItems({ store }, { items: [newItem('two', ['word'])] });
      const anew = await store.look({ known, terms: ['word'], filter: undefined });
      expect(anew.generation).not.toBe(first.generation);
      expect(anew.chunkBlocks).toHaveLength(1);
    });

    it('knows the group and the length of every chunk', async () => {
      const store = await open();
      const turn = newItem('t', ['a b c'], { source: 'conversations', kind: 'turn', topic: '' });
      await indexItems({ store }, { items: [newItem('one', ['word', 'two words']), turn] });
      const { groups, chunkBlocks } = await lookFor(store, []);
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
      const { chosen = new Int32Array(0) } = await lookFor(store, [], filter);
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

    it('merges segments without losing or inventing anything', async () => {
      const store = await open();
      for (let at = 0; at < 20; at++) {
        await indexItems(
          { store },
          { items: [newItem(`i${at}`, [`common word${at % 3}`, `own${at} common`])] },
        );
      }
      await indexItems({ store }, { removed: [{ source: 'kb', id: 'i4' }], items: [] });
      const before = await bodiesWith(store, 'common');
      await tidyIndex({ store });
      expect((await store.segments()).length).toBeLessThan(8);
      expect(await bodiesWith(store, 'common')).toEqual(before);
      expect(await bodiesWith(store, 'own7')).toEqual(['own7 common']);
      expect(await bodiesWith(store, 'own4')).toEqual([]);
    });

    it('gives way when the segments of a merge are gone', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word'])] });
      await indexItems({ store }, { items: [newItem('two', ['word'])] });
      const segments = await store.segments();
      const inputs = await Promise.all(
        segments.map(async (segment) => ({
          ...segment,
          blocks: (await store.segmentBlocks(segment.id)) ?? [],
        })),
      );
      const merged = mergeSegments(inputs, new Uint8Array(BLOCK_SIZE).fill(1));
      expect(await store.replaceSegments(segments, merged)).toBe(true);
      expect(await store.replaceSegments(segments, merged)).toBe(false);
      expect(await store.segments()).toHaveLength(1);
      expect(await store.segmentBlocks(segments[0]?.id ?? -1)).toBeUndefined();
      expect(await bodiesWith(store, 'word')).toHaveLength(2);
    });

    it('counts what is removed while a merge is made', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word', 'word']), newItem('two', ['word'])] });
      const [segment] = await store.segments();
      const blocks = (await store.segmentBlocks(segment?.id ?? -1)) ?? [];
      await indexItems({ store }, { removed: [{ source: 'kb', id: 'one' }], items: [] });
      const merged = { base: segment?.base ?? 0, span: segment?.span ?? 0, blocks };
      expect(await store.replaceSegments(segment ? [segment] : [], merged)).toBe(true);
      expect(await store.segments()).toMatchObject([{ span: 3, removed: 2 }]);
      expect(await bodiesWith(store, 'word')).toEqual(['word']);
    });

    it('keeps vectors and codes of chunks that are there', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['a', 'b', '...'])] });
      const missing = await store.unembedded('test-1', 10);
      expect(missing.map(({ body }) => body)).toEqual(['...', 'b', 'a']);
      expect(await store.unembedded('test-1', 1)).toHaveLength(1);
      const [none = -1, b = -1, a = -1] = missing.map(({ number }) => number);
      const given = new Map([
        [a, vectorOf(100)],
        [b, vectorOf(-100)],
        [none, undefined],
        [4711, vectorOf(1)],
      ]);
      await store.putVectors(EMBEDDER, given);
      expect(await store.unembedded('test-1', 10)).toEqual([]);
      expect(await store.unembedded('test-2', 10)).toHaveLength(3);
      expect(await store.vectors([a, b, none, 4711])).toEqual(
        new Map([
          [a, vectorOf(100)],
          [b, vectorOf(-100)],
        ]),
      );
      const { codeBlocks, embedder } = await lookFor(store, []);
      expect(embedder).toEqual(EMBEDDER);
      const [block] = codeBlocks;
      expect([a, b, none].map((chunk) => block?.present[chunk])).toEqual([1, 1, 2]);
      expect(block?.codes.slice(b * 8, b * 8 + 8)).toEqual(codeOf(vectorOf(-100)));
    });

    it('forgets the vectors of another embedder, and of replaced items', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['a']), newItem('two', ['b'])] });
      await store.putVectors(
        EMBEDDER,
        new Map([
          [0, vectorOf(1)],
          [1, vectorOf(2)],
        ]),
      );
      await indexItems({ store }, { items: [newItem('one', ['c'])] });
      expect([...(await store.vectors([0, 1, 2])).keys()]).toEqual([1]);
      expect((await store.unembedded('test-1', 10)).map(({ body }) => body)).toEqual(['c']);
      const other = { fingerprint: 'test-2', dimension: 128 };
      await store.putVectors(other, new Map([[2, Int8Array.from({ length: 128 }, () => 3)]]));
      expect([...(await store.vectors([0, 1, 2])).keys()]).toEqual([2]);
      expect((await store.unembedded('test-2', 10)).map(({ body }) => body)).toEqual(['b']);
      expect((await lookFor(store, [])).codeBlocks[0]?.codes).toHaveLength(BLOCK_SIZE * 16);
    });

    it('keeps what two writers do at once', async () => {
      const store = await open();
      await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          indexItems({ store }, { items: [newItem(`i${at}`, ['word'])] }),
        ),
      );
      expect(await bodiesWith(store, 'word')).toHaveLength(10);
      expect((await store.hashes('kb')).size).toBe(10);
    });

    it('forgets everything when it is cleared', async () => {
      const store = await open();
      await indexItems({ store }, { items: [newItem('one', ['word'])] });
      await store.clear();
      expect(await store.hashes('kb')).toEqual(new Map());
      expect(await bodiesWith(store, 'word')).toEqual([]);
      await indexItems({ store }, { items: [newItem('one', ['word again'])] });
      expect(await bodiesWith(store, 'word')).toEqual(['word again']);
    });
  });
}
