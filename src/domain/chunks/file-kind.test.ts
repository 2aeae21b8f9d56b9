import { expect, it } from 'vitest';
import { fileKind, languageOf } from './file-kind.ts';

it.each([
  ['src/app.ts', 'typescript'],
  ['src/App.TSX', 'tsx'],
  ['lib/index.mjs', 'javascript'],
  ['README.md', 'markdown'],
  ['.github/workflows/ci.yml', 'yaml'],
  ['package.json', 'json'],
  ['Cargo.toml', 'toml'],
  ['.editorconfig', 'toml'],
  ['Sources/App.swift', 'code'],
  ['Makefile', 'code'],
  ['Gemfile', 'ruby'],
  ['LICENSE', 'text'],
  ['go', 'text'],
  ['constructor', 'text'],
  ['a.d/notes', 'text'],
  ['', 'text'],
])('%s is %s', (path, kind) => {
  expect(fileKind(path)).toBe(kind);
});

it('knows a language for what has a grammar, and none for the rest', () => {
  expect(languageOf('a.rs')).toBe('rust');
  expect(languageOf('a.md')).toBeUndefined();
  expect(languageOf('a.swift')).toBeUndefined();
});
