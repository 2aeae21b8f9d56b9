import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scanRuns } from './characters.ts';
import { countTerms, termsAmong, termsOf, wantedTerms } from './terms.ts';

function runsOf(text: string): string[] {
  const runs: string[] = [];
  scanRuns(text, (_, start, end) => runs.push(text.slice(start, end)));
  return runs;
}

it.each([
  ['', []],
  ['one two', ['one', 'two']],
  ['a.b(c)', ['a', 'b', 'c']],
  ['dry-run --flag x-', ['dry-run', 'flag', 'x']],
  ['snake_case $x', ['snake_case', 'x']],
  ['naïve日本!', ['naïve日本']],
  ['\u0000a\u0000', ['a']],
])('finds the runs of %j', (text, runs) => {
  expect(runsOf(text)).toEqual(runs);
});

it('finds the runs that a pattern finds', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZ0_- .é日\n"') }), (text) => {
      expect(runsOf(text)).toEqual(text.match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? []);
    }),
  );
});

it('counts terms with weights', () => {
  const counts = new Map<string, number>();
  expect(countTerms('Indexing the index', 1, counts) + countTerms('readIndex', 3, counts)).toBe(12);
  expect(Object.fromEntries(counts)).toEqual({ index: 5, the: 1, read: 3, readindex: 3 });
});

it('finds the wanted terms where all terms would have been', () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'aeinglsydtobé日'), minLength: 1, maxLength: 8 }),
    fc.constantFrom(
      'eying',
      'eyes',
      'aings',
      'ties',
      'indexes',
      'indexing',
      'readFileSync',
      'dry-run',
      'ays',
      'yes',
    ),
  );
  const words = fc.array(word, { maxLength: 12 });
  fc.assert(
    fc.property(words, words, (text, question) => {
      const wanted = new Set(termsOf(question.join(' ')));
      const only = (terms: readonly string[]) => terms.map((term) => (wanted.has(term) ? term : undefined));
      const whole = text.join(' ');
      expect(only(termsAmong(whole, wantedTerms(wanted)))).toEqual(only(termsOf(whole)));
    }),
    { numRuns: 2000 },
  );
});
