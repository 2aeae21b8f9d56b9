import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fold, lettered, scanRuns } from './characters.ts';

const words = lettered((letters) => new RegExp(`[${letters}]+`, 'gu'));

it('finds in plain text what it finds in any text', () => {
  const plain = fc.string({ unit: 'binary-ascii' });
  fc.assert(
    fc.property(plain, (text) => {
      expect(text.match(words(text))).toEqual(text.match(words(`${text}é`)));
    }),
  );
});

it('takes the letters and digits of every script for such', () => {
  expect('déjà-vu ٣ 日本'.match(words('déjà-vu ٣ 日本'))).toEqual(['déjà', 'vu', '٣', '日本']);
});

it('takes for a letter what Unicode takes for one, unit by unit', () => {
  const unspaced = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
  const scripts = unspaced.map((script) => `\\p{Script=${script}}`).join('');
  const letter = new RegExp(`^[\\p{L}\\p{N}\\p{M}_\\p{Surrogate}ー${scripts}]`, 'u');
  const wrong: string[] = [];
  for (let unit = 0; unit <= 0xffff; unit++) {
    const character = String.fromCharCode(unit);
    const runs: string[] = [];
    scanRuns(character, (run) => runs.push(run));
    if (runs.length > 0 !== letter.test(character)) wrong.push(unit.toString(16));
  }
  expect(wrong).toEqual([]);
});

it('folds as the rule says, whatever the text', () => {
  const unit = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 3 }),
    fc.constantFrom('₁', 'é', 'ﬁ', 'Å', 'ǅ', 'ά'),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = units.join('');
      const expected = text
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[\p{Script=Latin}\p{Script=Greek}]\p{Mn}+/gu, (letters) => letters.replace(/\p{Mn}+/gu, ''))
        .normalize('NFC');
      expect(fold(text)).toBe(expected);
    }),
  );
});
