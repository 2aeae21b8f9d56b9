import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bm25, rarityOf } from '../../words/terms.ts';
import { ByteWriter } from '../postings/bytes.ts';
import { BODY_WEIGHT, encodePostings, Postings } from '../postings/posting-list.ts';
import { IndexView } from './index-view.ts';
import { type Alternative, type Field, type ScoredWord, scoreWords } from './score-words.ts';

const CHUNKS = 300;
const TERMS = ['deploy', 'rotat', 'key', 'friday'];

const weights = fc.dictionary(fc.nat(CHUNKS - 1).map(String), fc.integer({ min: 1, max: 255 }));
const fieldOfIndex = fc.record({
  present: fc.uint8Array({ min: 0, max: 1, minLength: CHUNKS, maxLength: CHUNKS }),
  allowed: fc.uint8Array({ min: 0, max: 1, minLength: CHUNKS, maxLength: CHUNKS }),
  lengths: fc.uint16Array({ min: 1, minLength: CHUNKS, maxLength: CHUNKS }),
  terms: fc.array(weights, { minLength: TERMS.length, maxLength: TERMS.length }),
  base: fc.nat(CHUNKS),
});
type RandomIndex = typeof fieldOfIndex extends fc.Arbitrary<infer Value> ? Value : never;

const alternatives = fc.uniqueArray(
  fc.record({ term: fc.constantFrom(...TERMS, 'absent'), factor: fc.constantFrom(1, 0.7, 0.25) }),
  { maxLength: 3, selector: ({ term }) => term },
);
const wordOfQuestion = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TERMS).map((term) => [{ term, factor: 1 }]) },
  alternatives,
);

it('scores as BM25 does, to the last bit', () => {
  fc.assert(
    fc.property(
      fc.array(fieldOfIndex, { maxLength: 3 }),
      fc.array(wordOfQuestion, { maxLength: 4 }),
      (indexes, questions) => {
        const fields = indexes.map(fieldWith);
        const words = questions.map((each, at) => ({ word: String(at), alternatives: each }));
        const expected = expectedScores(fields, words);
        const { words: found, fields: scored } = scoreWords(fields, words);
        expect(found.words.map(({ chunkCount }) => chunkCount)).toEqual(expected.counts);
        for (const [at, { scores, covered }] of scored.entries()) {
          expect(scores).toEqual(expected.fields[at]?.scores);
          expect(covered).toEqual(expected.fields[at]?.covered);
        }
      },
    ),
  );
});

/** In two segments, the second of which counts from `base`. */
function fieldWith(index: RandomIndex): Field {
  const { present, allowed, lengths, terms, base } = index;
  const view = new IndexView();
  view.present = present;
  view.lengths = lengths;
  for (const [chunk, flag] of present.entries()) {
    view.chunkCount += flag;
    view.totalLength += flag * (lengths[chunk] ?? 0);
  }
  const lists = TERMS.map((term, at) => {
    const postings = new Postings();
    const sorted = Object.entries(terms[at] ?? {}).sort(([a], [b]) => Number(a) - Number(b));
    for (const [chunk, weight] of sorted) postings.add(Number(chunk), weight);
    const split = sorted.filter(([chunk]) => Number(chunk) < base).length;
    const lists = [
      { base: 0, bytes: encoded(postings, { from: 0, to: split, base: 0 }) },
      { base, bytes: encoded(postings, { from: split, to: postings.count, base }) },
    ];
    return [term, lists] as const;
  });
  return { view, allowed: allowed.map((flag, chunk) => flag & (present[chunk] ?? 0)), lists: new Map(lists) };
}

function encoded(postings: Postings, range: { from: number; to: number; base: number }): Uint8Array {
  const writer = new ByteWriter();
  encodePostings(postings, range, writer);
  return writer.take();
}

function expectedScores(fields: readonly Field[], words: readonly ScoredWord[]) {
  const chunkCount = fields.reduce((sum, { view }) => sum + view.chunkCount, 0);
  const totalLength = fields.reduce((sum, { view }) => sum + view.totalLength, 0);
  const averageLength = chunkCount > 0 ? Math.max(1, totalLength / chunkCount) : 1;
  const scored = fields.map(() => ({
    scores: new Float32Array(CHUNKS),
    covered: new Float32Array(CHUNKS),
  }));
  const counts = words.map((word) => {
    const found = fields.map((field) => frequencies(field, word.alternatives));
    const containing = found.reduce((sum, { size }) => sum + size, 0);
    const rarity = rarityOf(chunkCount, containing);
    for (const [at, { allowed, view }] of fields.entries()) {
      const { scores, covered } = scored[at] as (typeof scored)[number];
      for (const [chunk, weight] of found[at] as Map<number, number>) {
        if (allowed[chunk] !== 1) continue;
        const relativeLength = (view.lengths[chunk] as number) / averageLength;
        scores[chunk] = (scores[chunk] as number) + rarity * bm25(weight / BODY_WEIGHT, relativeLength);
        covered[chunk] = (covered[chunk] as number) + rarity;
      }
    }
    return containing;
  });
  return { counts, fields: scored };
}

function frequencies({ lists, view }: Field, alternatives: readonly Alternative[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const { term, factor } of alternatives) {
    const postings = new Postings();
    for (const { base, bytes } of lists.get(term) ?? []) postings.addEncoded(bytes, base);
    for (let at = 0; at < postings.count; at++) {
      const chunk = postings.chunks[at] as number;
      if (view.present[chunk] !== 1) continue;
      const weight = postings.weights[at] as number;
      const scaled = factor === 1 ? weight : Math.max(1, Math.round(weight * factor));
      found.set(chunk, Math.min(255, (found.get(chunk) ?? 0) + scaled));
    }
  }
  return found;
}

it('leaves out what a damaged list points at outside of the index', () => {
  const view = new IndexView();
  view.present = new Uint8Array(4).fill(1);
  view.lengths = new Uint16Array(4).fill(1);
  view.chunkCount = 4;
  view.totalLength = 4;
  const cutOff = Uint8Array.of(0x00, 0xff, 0xff, 0xff, 0xff);
  const farAway = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x0f, 0x00);
  for (const bytes of [cutOff, farAway, Uint8Array.of(0x80)]) {
    const field = { view, allowed: view.present, lists: new Map([['key', [{ base: 0, bytes }]]]) };
    const words = [{ word: 'key', alternatives: [{ term: 'key', factor: 1 }] }];
    const { counts, fields } = expectedScores([field], words);
    const scored = scoreWords([field], words);
    expect(scored.words.words.map(({ chunkCount }) => chunkCount)).toEqual(counts);
    expect(scored.fields[0]?.scores).toEqual(fields[0]?.scores.subarray(0, 4));
  }
});
