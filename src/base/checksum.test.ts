import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checksum, fnv1a, fnv1aOfText } from './checksum.ts';

it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('hashes %j as its authors published', (text, hash) => {
  expect(fnv1a(Buffer.from(text))).toBe(hash);
  expect(fnv1aOfText(text)).toBe(hash);
});

it('hashes a part like the same text alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (before, text, after) => {
      const all = `${before}${text}${after}`;
      const [start, end] = [before.length, before.length + text.length];
      expect(fnv1aOfText(all, start, end)).toBe(fnv1aOfText(text));
      const bytes = Buffer.from(text);
      expect(fnv1a(Buffer.concat([Buffer.from(before), bytes]), Buffer.byteLength(before))).toBe(
        fnv1a(bytes),
      );
    }),
  );
});

it('names files by sixteen digits that stay the same', () => {
  expect(checksum('')).toBe('811c9dc501000193');
  expect(checksum('日本 knowledge.db')).toBe('4d7c9d68231df5c6');
});
