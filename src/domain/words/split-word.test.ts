import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fold } from './characters.ts';
import { splitWord } from './split-word.ts';

it.each([
  ['plain', ['plain']],
  ['readFileSync', ['read', 'file', 'sync', 'readfilesync']],
  ['read_file_sync', ['read', 'file', 'sync', 'readfilesync']],
  ['read-file-sync', ['read', 'file', 'sync', 'readfilesync']],
  ['parseJSONFile2', ['parse', 'json', 'file', '2', 'parsejsonfile2']],
  ['HTTPServer', ['http', 'server', 'httpserver']],
  ['sha256', ['sha', '256', 'sha256']],
  ['__init__', ['init']],
  ['___', []],
  ['Café', ['cafe']],
  ['ÉcoleNormale', ['ecole', 'normale', 'ecolenormale']],
  ['Straße', ['straße']],
  ['ＡＢＣ', ['abc']],
  ['x₁Ｂc', ['x', '1', 'bc', 'x1bc']],
  ['x⑴', ['x', '1']],
  ['ﬁle', ['file']],
  ['привет', ['привет']],
  ['Й', ['й']],
  ['नमस्ते', ['नमस्ते']],
  ['日', ['日']],
  ['日本語', ['日', '本', '語', '日本', '本語']],
  ['Node日本', ['node', '日', '本', '日本']],
  ['한국어', ['한', '국', '어', '한국', '국어']],
  ['𠀀𠀁', ['𠀀', '𠀁', '𠀀𠀁']],
  ['a😀b', ['a', 'b']],
])('%s is found by %j', (run, words) => {
  expect(splitWord(run, 'text')).toEqual(words);
});

it('asks for pairs only where there are pairs', () => {
  expect(splitWord('日本語', 'query')).toEqual(['日本', '本語']);
  expect(splitWord('日', 'query')).toEqual(['日']);
});

it('keeps only the beginning of what is no word', () => {
  expect(splitWord('a1b2c3d4e5f6a7b8', 'text')).toEqual(['a1b2c3d4e5f6a7b8']);
  expect(splitWord('x'.repeat(500), 'text')).toEqual(['x'.repeat(64)]);
});

it('cuts as the rule says, whatever the word', () => {
  const piece = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
  fc.assert(
    fc.property(fc.stringMatching(/^[a-cA-C0-2_-]{1,14}$/), (run) => {
      const pieces = (run.match(piece) ?? []).map((each) => each.toLowerCase());
      fc.pre(pieces.length <= 12);
      expect(splitWord(run, 'text')).toEqual(pieces.length > 1 ? [...pieces, pieces.join('')] : pieces);
    }),
  );
});

it('takes any bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (run) => {
      for (const word of splitWord(run, 'text')) expect(word.length).toBeLessThanOrEqual(64);
    }),
  );
});

it.each([
  ['CAFÉ', 'cafe'],
  ['Ǻ', 'a'],
  ['ΆΛΦΑ', 'αλφα'],
  ['й', 'й'],
  ['ñandú', 'nandu'],
  ['İ', 'i'],
  ['①', '1'],
])('%s folds to %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});
