import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearDuplicates } from './near-duplicates.ts';

const word = fc.stringMatching(/^[a-z]{3,8}$/);
const texts = fc.uniqueArray(word, { minLength: 120, maxLength: 120 });

it('finds a text again whose last word was changed, and not one of other words', () => {
  fc.assert(
    fc.property(texts, (words) => {
      const [text, other] = [words.slice(0, 60), words.slice(60)];
      const changed = [...text.slice(0, -1), 'different'];
      const found = nearDuplicates([text.join(' '), other.join(' '), changed.join(' ')]);
      expect(found).toEqual([[0, 2]]);
    }),
  );
});

it('tells a crowd of equals by a chain, and nothing of what is unlike or empty', () => {
  expect(nearDuplicates(['Tea at four.', 'TEA at four', 'tea, at: four!'])).toEqual([
    [0, 1],
    [1, 2],
  ]);
  expect(nearDuplicates(['Tea at four.', 'Coffee at nine.', '', '…', ''])).toEqual([]);
});
