import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseQuery } from './parse-query.ts';

const termsOf = (question: string) => parseQuery(question).words.map(({ term }) => term);

it.each([
  ['How do I rotate API keys?', ['rotat', 'api', 'kei']],
  ['to be or not to be', ['not']],
  ['what is it', ['what', 'is', 'it']],
  ['readFileSync', ['read', 'file', 'sync', 'readfilesync']],
  ['index indexes indexing', ['index']],
  ['fs.readFile', ['fs', 'read', 'file', 'readfil']],
  ['', []],
  ['?!', []],
  ['日本語', ['日本', '本語']],
])('%j asks for %j', (question, terms) => {
  expect(termsOf(question)).toEqual(terms);
});

it('wants phrases when there is nothing else, and prefers them in a sentence', () => {
  expect(parseQuery('"exact phrase" "another one"').phrases).toEqual([
    { text: 'exact phrase', terms: ['exact', 'phrase'] },
    { text: 'another one', terms: ['anoth', 'on'] },
  ]);
  const sentence = parseQuery('Why do I see “cannot connect” when I call fs.readFile?');
  expect(sentence.phrases).toEqual([]);
  expect(sentence.preferred).toEqual(['cannot connect', 'fs.readFile']);
});

it('takes a minus for an exclusion, but not a flag', () => {
  const query = parseQuery('cache -redis -readFile -"hot path" --no-cache');
  expect(query.excludedTerms).toEqual(['redi', 'readfil']);
  expect(query.excludedPhrases).toEqual(['hot path']);
  expect(query.text).toBe('cache --no-cache');
  expect(query.words.map(({ term }) => term)).toEqual(['cach', 'no', 'nocach']);
});

it('asks for what is excluded from nothing', () => {
  const query = parseQuery('-verbose');
  expect([query.excludedTerms, query.words.map(({ term }) => term)]).toEqual([[], ['verbo']]);
});

it('takes a star for a beginning', () => {
  expect(parseQuery('conf* x*').words).toEqual([
    { term: 'conf', written: 'conf', isPrefix: true },
    { term: 'x', written: 'x', isPrefix: false },
  ]);
});

it.each([
  ['"'],
  ['"""'],
  ['-'],
  ['-"'],
  ['*'],
  ['NEAR('],
  ['a AND (b OR'],
  ['\u0000'],
  ['😀'],
  ["'; drop table x"],
])('makes something of %j', (question) => {
  expect(() => parseQuery(question)).not.toThrow();
});

it('reads only so much of a question', () => {
  const long = parseQuery(Array.from({ length: 20_000 }, (_, at) => `word${at}x`).join(' '));
  expect(long.words.length).toBeLessThanOrEqual(96);
});

it('makes something of any text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'ab"-* “”.:日') })),
      (question) => {
        const { words } = parseQuery(question);
        expect(new Set(words.map(({ term, isPrefix }) => `${term} ${isPrefix}`)).size).toBe(words.length);
      },
    ),
  );
});

it.each(['x'.repeat(20_000), 'ж'.repeat(20_000), 'a_'.repeat(10_000)])(
  'reads a long run without a blank at once: %.9s',
  (run) => {
    const before = process.threadCpuUsage();
    expect(parseQuery(run).preferred).toEqual([]);
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
  },
);
