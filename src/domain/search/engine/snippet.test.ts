import fc from 'fast-check';
import { expect, it } from 'vitest';
import { estimateTokens } from '../../../base/text.ts';
import { shortenedText, snippetOf } from './snippet.ts';

const terms = (...words: string[]) => new Map(words.map((word, at) => [word, words.length - at]));

const CODE = `import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from './parse.ts';
import { Fault } from '../base/fault.ts';

export class Store {
  /** Opens the ledger, or makes one. */
  async open(file: string) {
    if (!path.isAbsolute(file)) throw new Fault('store/relative');

    const text = await readFile(file, 'utf8');
    return parse(text);
  }
}
`;

it('shows the lines that have the words, not the first ones', () => {
  expect(snippetOf({ body: CODE, heading: 'Store' }, terms('ledger', 'open'))).toBe(
    `export class Store {
  /** Opens the ledger, or makes one. */
  async open(file: string) {
    if (!path.isAbsolute(file)) throw new Fault('store/relative');
    const text = await readFile(file, 'utf8');
    return parse(text);`,
  );
});

it('begins with what stands before, unless that is a closing brace', () => {
  const shown = (before: string) => snippetOf({ body: `x\n${before}\nferry\n`, heading: '' }, terms('ferri'));
  expect(shown('the')).toBe('the\nferry');
  expect(shown('});')).toBe('ferry');
});

it('counts a rare word more than a frequent one, and each only once', () => {
  const body = [
    'path path path path',
    'x'.repeat(200),
    'y'.repeat(100),
    'the absolute',
    'z'.repeat(200),
  ].join('\n');
  const weights = new Map([
    ['path', 1],
    ['absolut', 3],
  ]);
  expect(snippetOf({ body, heading: '' }, weights)).toBe(`${'y'.repeat(100)}\nthe absolute`);
});

it('takes no notice of words that are everywhere, and finds accented ones', () => {
  const body = ['the the the', 'x'.repeat(240), 'the Café', 'y'.repeat(240)].join('\n');
  const weights = new Map([
    ['the', 0.5],
    ['caf', 0],
    ['cafe', 3],
  ]);
  expect(snippetOf({ body, heading: '' }, weights)).toBe('the Café');
  expect(snippetOf({ body: `${body}\nthe été`, heading: '' }, new Map([['et', 1]]))).toBe('the été');
});

it('begins with what is defined when none of the words is there', () => {
  const shown = snippetOf({ body: CODE, heading: 'Store › open' }, terms('elsewhere'));
  expect(shown.split('\n')[0]).toBe('  async open(file: string) {');
  expect(shown.split('\n')[1]).toBe("    if (!path.isAbsolute(file)) throw new Fault('store/relative');");
  expect(snippetOf({ body: CODE, heading: 'nowhere' }, new Map())).toBe(
    `import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from './parse.ts';
import { Fault } from '../base/fault.ts';
export class Store {
  /** Opens the ledger, or makes one. */`,
  );
});

it('cuts a long line between words, around what was asked for', () => {
  const body = `${'Gulls steal sandwiches from the quay. '.repeat(20)}Ferries rest on Sundays. ${'Then they sail again. '.repeat(20)}`;
  const shown = snippetOf({ body, heading: '' }, terms('ferri', 'sundai'));
  expect(shown).toMatch(/^….*Ferries rest on Sundays\..*…$/);
  expect(shown.length).toBeLessThanOrEqual(242);
});

it('takes out the indent that all lines share', () => {
  const body = '\n\n      if (ready) {\r\n        open();\r\n      }\r\n';
  expect(snippetOf({ body, heading: '' }, terms('open'))).toBe('if (ready) {\n  open();\n}');
});

it.each(['', '\n', '   \n\t\n'])('has nothing to show of %j', (body) => {
  expect(snippetOf({ body, heading: 'x' }, terms('x'))).toBe('');
});

it('shows a part of any text, whole characters and whole lines of it, and not much', () => {
  const line = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.lorem({ maxCount: 60 }));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.lorem({ maxCount: 1 })), (lines, words) => {
      const body = lines.join('\n');
      const shown = snippetOf(
        { body, heading: lines[1] ?? '' },
        terms(...words.map((word) => word.slice(0, -1))),
      );
      expect(shown.length).toBeLessThanOrEqual(240 + 8);
      expect(shown.isWellFormed()).toBe(true);
      const written = body.replace(/\s+/g, ' ');
      for (const part of shown.split('\n'))
        expect(written).toContain(part.replace(/^…|…$/g, '').replace(/\s+/g, ' ').trim());
    }),
  );
});

it('shortens a chunk to its lines about the question, and says where it was cut', () => {
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at} says nothing in particular here`);
  lines[40] = 'the quokka rotates its keys';
  const chunk = { body: lines.join('\n'), heading: '' };
  const text = shortenedText(chunk, new Map([['quokka', 3]]), 60);
  expect(text.startsWith('[…]\n')).toBe(true);
  expect(text.endsWith('\n[…]')).toBe(true);
  expect(text).toContain('the quokka rotates its keys');
  expect(estimateTokens(text)).toBeLessThanOrEqual(60);
  expect(shortenedText(chunk, new Map([['quokka', 3]]), 5000)).toBe(chunk.body);
});
