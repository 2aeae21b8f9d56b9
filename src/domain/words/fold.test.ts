import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lettered } from './characters.ts';

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
