import fc from 'fast-check';
import { expect, it } from 'vitest';
import { stem } from '../../words/stem.ts';
import { countTerms } from '../../words/terms.ts';
import { SegmentBuilder } from './build-segment.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { chooseMerge, mergeSegments } from './merge-segments.ts';
import { encodePostings, Postings } from './posting-list.ts';
import { entriesOf, findInBlock, type TermBlock, TermBlockWriter } from './term-blocks.ts';
import { compareKeys, sortByTerm, termFromKey, termKey } from './term-key.ts';
import { TermTally } from './term-tally.ts';

const term = fc.string({ unit: fc.constantFrom(...'abcé日', '𠀀', '\uffe0'), minLength: 1, maxLength: 6 });
const terms = fc.uniqueArray(term, { minLength: 1, maxLength: 200 });
const byKey = (a: string, b: string) => compareKeys(termKey(a), termKey(b));

function listOf(...bytes: number[]): ByteWriter {
  const writer = new ByteWriter();
  writer.bytes(Uint8Array.from(bytes));
  return writer;
}

function decoded(blocks: readonly TermBlock[], base = 0): Record<string, [number, number][]> {
  const all = blocks.flatMap(({ content }) => [...entriesOf(content)]);
  return Object.fromEntries(
    all.map(({ key, list }) => {
      const postings = new Postings();
      postings.addEncoded(list, base);
      const pairs = Array.from({ length: postings.count }, (_, at): [number, number] => [
        postings.chunks[at] ?? -1,
        postings.weights[at] ?? -1,
      ]);
      return [termFromKey(key), pairs];
    }),
  );
}

it('reads the numbers that were written', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0x7fffffff)), (numbers) => {
      const writer = new ByteWriter(1);
      for (const number of numbers) writer.number(number);
      const reader = new ByteReader(writer.take());
      expect(numbers.map(() => reader.number())).toEqual(numbers);
      expect(reader.isAtEnd).toBe(true);
    }),
  );
});

it('gives back lists, from any base', () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.nat(1_000_000), fc.integer({ min: 1, max: 255 })), {
    selector: ([chunk]) => chunk,
  });
  fc.assert(
    fc.property(pairs, fc.nat(5000), (given, base) => {
      const sorted = given
        .map(([chunk, weight]) => [chunk + base, weight] as const)
        .sort(([a], [b]) => a - b);
      const postings = new Postings();
      for (const [chunk, weight] of sorted) postings.add(chunk, weight);
      const writer = new ByteWriter();
      encodePostings(postings, { from: 0, to: postings.count, base }, writer);
      const read = new Postings();
      read.addEncoded(writer.take(), base);
      expect([...read.chunks.slice(0, read.count)]).toEqual(sorted.map(([chunk]) => chunk));
      expect([...read.weights.slice(0, read.count)]).toEqual(sorted.map(([, weight]) => weight));
    }),
  );
});

it('combines the lists of several terms, and drops what is not flagged', () => {
  const postings = new Postings();
  for (const [chunk, weight] of [
    [5, 2],
    [7, 2],
    [1, 4],
    [5, 200],
    [9, 1],
  ] as const)
    postings.add(chunk, weight);
  postings.scale(2, 0.5);
  postings.combine();
  expect([...postings.chunks.slice(0, postings.count)]).toEqual([1, 5, 7, 9]);
  expect([...postings.weights.slice(0, postings.count)]).toEqual([2, 102, 2, 1]);
  postings.keep(Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 1));
  expect([...postings.chunks.slice(0, postings.count)]).toEqual([1, 7]);
});

it('sorts terms as their bytes sort', () => {
  fc.assert(
    fc.property(terms, (all) => {
      const sorted = sortByTerm([...all.keys()], all).map((number) => all[number]);
      expect(sorted).toEqual([...all].sort(byKey));
    }),
  );
});

it('finds in blocks exactly the terms that are in them', () => {
  fc.assert(
    fc.property(terms, terms, (all, others) => {
      const writer = new TermBlockWriter();
      for (const [at, each] of [...all].sort(byKey).entries()) writer.add(each, listOf(at % 256, 1));
      const blocks = writer.finish();
      const look = (wanted: string) => {
        const block = blocks.findLast(({ first }) => compareKeys(first, termKey(wanted)) <= 0);
        return block && findInBlock(block.content, termKey(wanted));
      };
      for (const [at, each] of [...all].sort(byKey).entries()) expect(look(each)?.[0]).toBe(at % 256);
      for (const other of others) if (!all.includes(other)) expect(look(other)).toBeUndefined();
    }),
  );
});

it('gives a long list a block of its own', () => {
  const writer = new TermBlockWriter();
  writer.add('a', listOf(1));
  writer.add('b', listOf(...new Array(5000).fill(7)));
  writer.add('c', listOf(2));
  expect(writer.finish().map(({ first }) => termFromKey(first))).toEqual(['a', 'b', 'c']);
});

it('neither hangs nor throws on damaged blocks', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 5 }), (content, key) => {
      findInBlock(content, key);
      for (const { list } of entriesOf(content)) new Postings().addEncoded(list, 0);
    }),
  );
});

it('builds a segment: every term with its chunks and weights', () => {
  const builder = new SegmentBuilder();
  builder.add({ title: 'Alpha', heading: '', path: '', body: 'alpha beta' });
  builder.add({ title: '', heading: 'beta', path: 'beta', body: 'beta beta' });
  const { blocks, lengths } = builder.finish();
  expect(decoded(blocks)).toEqual({
    alpha: [[0, 8]],
    beta: [
      [0, 2],
      [1, 12],
    ],
  });
  expect([...lengths]).toEqual([5, 6]);
  builder.add({ title: '', heading: '', path: '', body: 'beta gamma' });
  expect(decoded(builder.finish().blocks)).toEqual({ beta: [[0, 2]], gamma: [[0, 2]] });
});

it('counts what plain counting counts, met before or not, in any script', () => {
  const texts = fc.array(
    fc.string({ unit: fc.constantFrom(...'abAB1_ -.日本é—“😀', 'word'), maxLength: 60 }),
  );
  fc.assert(
    fc.property(texts, (all) => {
      const tally = new TermTally();
      const expected = all.map((text, chunk) => {
        const counts = new Map<string, number>();
        const length = countTerms(text, 2, counts) + countTerms(text, 3, counts);
        tally.add(text, 2);
        tally.add(text, 3);
        expect(tally.endChunk(chunk)).toBe(length);
        return counts;
      });
      const { chunks, weights, starts } = tally.takeLog();
      const counted = all.map(() => new Map<string, number>());
      for (const [number, each] of tally.terms.entries()) {
        for (let at = starts[number] ?? 0; at < (starts[number + 1] ?? 0); at++) {
          counted[chunks[at] ?? -1]?.set(each, weights[at] ?? 0);
        }
      }
      expect(counted.map((counts) => [...counts].sort())).toEqual(
        expected.map((counts) => [...counts].sort()),
      );
      expect(tally.logged).toBe(0);
    }),
  );
});

it('counts thousands of words, long texts and heavy words', () => {
  const words = Array.from({ length: 30_000 }, (_, at) => `word${at}x`);
  const tally = new TermTally();
  tally.add(words.join(' '), 1);
  tally.add(words.join('\n'), 1);
  tally.add('heavy '.repeat(1000), 2);
  tally.add('y'.repeat(100_000), 1);
  tally.endChunk(0);
  const { weights, starts } = tally.takeLog();
  const weightOf = (wanted: string) => weights[starts[tally.terms.indexOf(wanted)] ?? -1];
  expect(weightOf('word29999x')).toBe(2);
  expect(weightOf('heavi')).toBe(255);
  expect(weightOf('y'.repeat(64))).toBe(1);
});

it('counts rightly when someone has chosen words whose hashes collide', () => {
  const colliding = collidingWords(120);
  const tally = new TermTally();
  tally.add([...colliding, ...colliding].join(' '), 1);
  tally.endChunk(0);
  const { weights, starts } = tally.takeLog();
  for (const word of colliding) expect(weights[starts[tally.terms.indexOf(stem(word))] ?? -1]).toBe(2);
});

/** Words that share the low bits by which they are placed in a table of this size. */
function collidingWords(count: number): string[] {
  const found: string[] = [];
  for (let number = 0; found.length < count; number++) {
    const word = `w${number.toString(36).replace(/[0-9]/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}`;
    let hash = 0x811c9dc5;
    for (const letter of word) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
    if (((hash ^ (hash >>> 15)) & 0x1fff) === 0 && !found.includes(word)) found.push(word);
  }
  return found;
}

it('merges to what one segment would have been', () => {
  const body = fc.array(fc.constantFrom('one', 'two', 'three', 'four', 'é', '日本'), { maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(fc.array(body, { minLength: 1 }), { minLength: 1, maxLength: 6 }),
      fc.nat(),
      (batches, gone) => {
        const all = batches.flat().map((words) => words.join(' '));
        const present = Uint8Array.from(all, (_, at) => (at % 7 === gone % 7 ? 0 : 1));
        let base = 0;
        const inputs = batches.map((batch, id) => {
          const builder = new SegmentBuilder();
          for (const words of batch) builder.add({ title: '', heading: '', path: '', body: words.join(' ') });
          const input = {
            id,
            base,
            span: batch.length,
            bytes: 0,
            removed: 0,
            blocks: builder.finish().blocks,
          };
          base += batch.length;
          return input;
        });
        const whole = new SegmentBuilder();
        for (const [at, text] of all.entries()) {
          whole.add({ title: '', heading: '', path: '', body: present[at] === 1 ? text : '' });
        }
        const merged = mergeSegments(inputs, present);
        expect([merged.base, merged.span]).toEqual([0, all.length]);
        expect(decoded(merged.blocks)).toEqual(decoded(whole.finish().blocks));
      },
    ),
  );
});

it('chooses neighbours of one size, and what is worn', () => {
  const segment = (id: number, bytes: number, removed = 0) => ({
    id,
    base: id * 100,
    span: 100,
    bytes,
    removed,
  });
  const small = Array.from({ length: 7 }, (_, id) => segment(id + 1, 5000));
  expect(chooseMerge(small)).toBeUndefined();
  expect(chooseMerge([segment(0, 50_000_000), ...small, segment(8, 9000)])?.map(({ id }) => id)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8,
  ]);
  expect(chooseMerge([segment(1, 5000), segment(2, 5000, 70)])?.map(({ id }) => id)).toEqual([2]);
  expect(chooseMerge(Array.from({ length: 9 }, (_, id) => segment(id, 60_000_000)))).toBeUndefined();
});

it('does not count what is very frequent for rare', () => {
  const postings = new Postings();
  for (const weight of [200, 100]) postings.add(7, weight);
  postings.combine();
  expect([postings.count, postings.chunks[0], postings.weights[0]]).toEqual([1, 7, 255]);
});
