import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFrontMatter, writeFrontMatter } from './front-matter.ts';

it.each([
  ['plain', 'description: Reads PDF files.', 'Reads PDF files.'],
  ['plain with a colon', 'description: Use when: always', 'Use when: always'],
  ['plain over lines', 'description: one\n  two\n  three\nname: x', 'one two three'],
  ['a comment', 'description: one # two', 'one'],
  ['a hash that is none', 'description: C# and F#', 'C# and F#'],
  ['double quotes', 'description: "a \\"b\\" \\u00e9\\n\\x41"', 'a "b" é\nA'],
  ['double quotes over lines', 'description: "one\n  two"', 'one two'],
  ['single quotes', "description: 'it''s # here'", "it's # here"],
  ['folded', 'description: >-\n  one\n  two\n\n  three\nname: x', 'one two\nthree'],
  ['literal', 'description: |\n  one\n    two\n\nname: x', 'one\n  two'],
  ['empty', 'description:\nname: x', ''],
  ['the first of two', 'description: a\ndescription: b', 'a'],
  ['windows line ends', 'description: a\r\nname: b\r', 'a'],
])('reads %s', (_, yaml, description) => {
  expect(parseFrontMatter(`---\n${yaml}\n---\nbody`)?.fields.description).toBe(description);
});

it.each([
  ['a list', 'description:\n  - a'],
  ['a map', 'description:\n  a: b'],
  ['an inline list', 'description: [a, b]'],
  ['an inline map', 'description: {a: b}'],
  ['an alias', 'description: *a'],
  ['a quote that never ends', 'description: "abc'],
])('passes over %s', (_, yaml) => {
  expect(parseFrontMatter(`---\n${yaml}\nname: x\n---\n`)?.fields).toEqual({ name: 'x' });
});

it('gives the body as it is', () => {
  expect(parseFrontMatter('---\nname: x\n---\n# T\n\n---\nz\n')?.body).toBe('# T\n\n---\nz\n');
});

it.each(['', 'text', '---\nname: x', ' ---\nname: x\n---', '----\n---'])('%j has none', (text) => {
  expect(parseFrontMatter(text)).toBeUndefined();
});

it('is no way to a prototype', () => {
  expect(parseFrontMatter('---\n__proto__: x\nconstructor: y\n---\n')?.fields.constructor).toBe('y');
});

it('reads back what it writes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (name, description) => {
      const fields = parseFrontMatter(`${writeFrontMatter({ name, description })}body`)?.fields;
      expect({ ...fields }).toEqual({ name, description });
    }),
    { examples: [['\u2028', '\u2029']] },
  );
});

it('never throws, and ends soon on hostile text', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseFrontMatter(`---\n${text}\n---\n`)));
  const hostile = [
    `description: "${'\\a'.repeat(50_000)}`,
    `description: ${' #'.repeat(50_000)}`,
    `a:\n${' -'.repeat(50_000)}`,
  ];
  for (const text of hostile) parseFrontMatter(`---\n${text}\n---\n`);
});
