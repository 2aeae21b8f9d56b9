import { expect, it } from 'vitest';
import { embeddedText, fieldsOf } from './index-item.ts';

const chunk = { heading: '', body: 'Body.', firstLine: 1, lastLine: 1 };

it.each([
  [{ title: 'd000123', path: 'kb/d000123.md', heading: '' }, 'Body.'],
  [
    { title: 'Ring keys', path: 'ops/key-ring.md', heading: 'A 2 › Who' },
    'Ring keys\nops key ring\nWho\nBody.',
  ],
  [{ title: '東京 タワー', path: '', heading: 'Überblick' }, '東京 タワー\nÜberblick\nBody.'],
])('embeds names as far as they are words: %j', (names, expected) => {
  expect(embeddedText({ ...names, body: 'Body.' })).toBe(expected);
});

it('embeds an answer with its question', () => {
  expect(embeddedText({ title: '', path: '', heading: '', body: 'In the pantry.', question: 'Where?' })).toBe(
    'Where?\nIn the pantry.',
  );
});

it('indexes the language with each chunk of code, and with nothing else', () => {
  const path = (file: string) => fieldsOf({ title: '', path: file }, chunk).path;
  expect(path('src/a.py')).toBe('src/a.py python');
  expect(path('src/a.tsx')).toBe('src/a.tsx typescript react');
  expect(path('docs/a.md')).toBe('docs/a.md');
});
