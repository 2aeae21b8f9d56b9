import fc from 'fast-check';
import { expect, it } from 'vitest';
import { judgeContent } from './skip.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';

it.each<[string, string, Uint8Array, string | undefined]>([
  ['prose', 'a.md', bytes('# Grüße\n'), undefined],
  ['nothing at all', 'a.md', bytes(''), undefined],
  ['a NUL', 'a.md', bytes('a\0b'), 'binary'],
  ['UTF-16', 'a.txt', new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 'binary'],
  ['Latin-1', 'a.txt', new Uint8Array([0x67, 0x72, 0xfc]), 'binary'],
  ['a cut character', 'a.txt', new Uint8Array([0xe2, 0x82]), 'binary'],
  ['a byte order mark', 'a.txt', new Uint8Array([0xef, 0xbb, 0xbf, 0x61]), undefined],
  ['an LFS pointer', 'model.txt', bytes(POINTER), 'lfs_pointer'],
  ['words about LFS', 'lfs.md', bytes(`# LFS\n${POINTER}`), undefined],
  ['one long line of script', 'a.js', bytes('var a=1;'.repeat(400)), 'minified'],
  ['few long lines of style', 'a.css', bytes(`${'a{b:c}'.repeat(200)}\n`.repeat(3)), 'minified'],
  ['ordinary script', 'a.js', bytes('const a = 1;\n'.repeat(400)), undefined],
  ['a small one-liner', 'a.json', bytes('{"a":1}'.repeat(10)), undefined],
  ['a paragraph in a line', 'a.md', bytes('word '.repeat(2000)), undefined],
])('%s in %s', (_, path, content, expected) => {
  expect(judgeContent(path, content)).toBe(expected);
});

it('keeps any text that is no script, and nothing that is not text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!text.includes('\0'));
      expect(judgeContent('a.md', bytes(text))).toBe(undefined);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20 }), (content) => {
      const isText =
        !content.includes(0) && Buffer.from(content).equals(Buffer.from(Buffer.from(content).toString()));
      expect(judgeContent('a.md', content)).toBe(isText ? undefined : 'binary');
    }),
  );
});
