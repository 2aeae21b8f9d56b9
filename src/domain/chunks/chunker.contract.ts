import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { estimateTokens, utf8Length } from '../../base/text.ts';
import { CHUNK_BYTES, type Chunk, type Chunker, type FileText } from './chunk.ts';

/** Properties of the chunks of any file. */
export function expectWholeFile({ path, text }: FileText, chunks: readonly Chunk[]): void {
  expect(chunks.map((chunk) => chunk.text).join(''), path).toBe(text);
  let offset = 0;
  for (const chunk of chunks) {
    expect(chunk.text, path).not.toBe('');
    expect(utf8Length(chunk.text), path).toBeLessThanOrEqual(CHUNK_BYTES.cap);
    expect(estimateTokens(chunk.text), path).toBeLessThanOrEqual(1500);
    expect([chunk.firstLine, chunk.lastLine], path).toEqual(linesOf(text, offset, chunk.text.length));
    expect(chunk.heading, path).not.toMatch(/[\p{Cc}]/u);
    offset += chunk.text.length;
  }
}

/** Counted anew from the text. */
function linesOf(text: string, offset: number, length: number): [number, number] {
  const feeds = (part: string) => part.split('\n').length - 1;
  const first = 1 + feeds(text.slice(0, offset));
  return [first, first + feeds(text.slice(offset, offset + length - 1))];
}

const PATHS = [
  ...'a.md a.json a.toml a.yaml a.swift a.sql a.txt a.ts a.tsx a.js a.py a.rs a.go a.java a.c a.cpp a.cs a.rb'.split(
    ' ',
  ),
  ...'a.php a.kt a.scala a.sh a.lua a.css a.html LICENSE .editorconfig'.split(' '),
];

/** Every piece of syntax that opens something, and much that never closes it. */
const SCRAPS = [
  ...[
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '"',
    "'",
    '`',
    '"""',
    "'''",
    '/*',
    '*/',
    '//',
    '#',
    '--',
    '<!--',
    '-->',
    '<?php',
    '?>',
  ],
  ...[
    '# Heading',
    '## Sub',
    'Title\n===',
    '```',
    '~~~',
    '---',
    '+++',
    '- item',
    'key:',
    'key: |',
    '  nested: 1',
    '[table]',
  ],
  ...[
    '{"a": [1, {"b": 2}]}',
    'function f() {',
    'class A {',
    'def f():',
    '    pass',
    'fn f() {',
    'end',
    'if x; then',
    'fi',
  ],
  ...[
    '<div>',
    '</div>',
    '<script>',
    '@decorator',
    'export',
    'const f = () => {',
    'return 1;',
    '\\',
    '\ufeff',
    '𝒳 emoji 👩‍👩‍👧',
    '日本語',
  ],
  ...[' ', '\t', '\n', '\r\n', '\n\n', '    ', '\r', '\u2028', '\u0001\u0002\u001b[31m', 'x'.repeat(90)],
];

const hostileText = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.tuple(fc.constantFrom(...SCRAPS), fc.constantFrom('', ' ', '\n', '\r\n')) },
      { weight: 1, arbitrary: fc.tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.constant('\n')) },
    ),
    { maxLength: 60 },
  )
  .chain((parts) => fc.tuple(fc.constant(parts.flat().join('')), fc.integer({ min: 1, max: 40 })))
  .map(([text, times]) => text.repeat(times));

/** The promises of a chunker, whatever it is made of. */
export function itCutsFiles(name: string, open: () => Chunker): void {
  describe(name, () => {
    const cut = async (file: FileText) => {
      const chunks = await open().chunk(file);
      expectWholeFile(file, chunks);
      return chunks;
    };

    it('loses nothing of a hostile text, in any kind of file', async () => {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...PATHS), hostileText, async (path, text) => {
          await cut({ path, text });
        }),
        { numRuns: scaled(40, 1500) },
      );
    });

    it.each(PATHS)('cuts nothing, a line, a huge line and deep nesting in %s', async (path) => {
      expect(await cut({ path, text: '' })).toEqual([]);
      expect(await cut({ path, text: 'x' })).toHaveLength(1);
      await cut({ path, text: '\n\n\n' });
      await cut({ path, text: 'let a = 1;\r\n'.repeat(2000) });
      await cut({ path, text: `{"k": "${'é👍,'.repeat(30_000)}"}` });
      await cut({ path, text: 'a\n'.repeat(20) + '\u{1f600}'.repeat(9000) });
      await cut({ path, text: `${'['.repeat(5000)}\n${'{ '.repeat(5000)}` });
      const levels = Array.from({ length: 40 }, (_, at) => `${'  '.repeat(at)}if (x${at}) {\n`);
      await cut({ path, text: `${levels.join('').repeat(9)}` });
    });

    it('gives the same chunks for the same text, also when asked at once', async () => {
      const text = 'export function f() {\n  return 1;\n}\n\n'.repeat(300);
      const [first, ...others] = await Promise.all(
        Array.from({ length: 4 }, () => cut({ path: 'src/a.ts', text })),
      );
      for (const other of others) expect(other).toEqual(first);
    });
  });
}
