import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { allFiles, textOf } from './source-files.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const GLOSSARY = 'docs/glossary.md';
const [terms = '', exceptions = ''] = read(GLOSSARY).split('\n## Exceptions\n');

const pages = [
  ...readdirSync(root).filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md'),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
].filter((file) => file !== GLOSSARY);

/** Cells of the tables in a text, without their headers. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| (?!term|word)(.*)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
}

const wordsIn = (list: string) => list.split(',').flatMap((word) => word.trim() || []);

/** Words to avoid, each with the names, phrases and paths in which it is right. */
const avoided = new Map(
  rowsOf(terms).flatMap(([, , , not = '']) => wordsIn(not).map((word) => [word, [] as string[]])),
);
for (const [words = '', , as = ''] of rowsOf(exceptions)) {
  for (const word of wordsIn(words)) {
    avoided.get(word)?.push(...[...as.matchAll(/`([^`]+)`/g)].map(([, phrase = '']) => phrase));
  }
}

it('has terms with one line each, and exceptions only for words that are avoided', () => {
  expect(avoided.size).toBeGreaterThan(15);
  expect(rowsOf(terms).filter((cells) => cells.length !== 4)).toEqual([]);
  expect(
    rowsOf(exceptions).flatMap(([words = '']) => wordsIn(words).filter((word) => !avoided.has(word))),
  ).toEqual([]);
});

it('has no avoided word in a name of the code', () => {
  const strays = allFiles.flatMap((file) =>
    [...namesIn(textOf(file))].flatMap((name) =>
      partsOf(name)
        .filter(
          (part) => !(avoided.get(part) ?? [name]).some((as) => as === name || `src/${file}`.startsWith(as)),
        )
        .map((part) => `${file}: ${name} (${part})`),
    ),
  );
  expect(strays, 'rename it, or add an exception to docs/glossary.md').toEqual([]);
});

it.each(pages)('%s has no avoided word', (page) => {
  const strays = read(page)
    .split('\n')
    .flatMap((line, at) => strayWords(line).map((word) => `${page}:${at + 1}: ${word}`));
  expect(strays, 'say it in the words of docs/glossary.md, or add an exception there').toEqual([]);
});

function strayWords(line: string): string[] {
  return [...avoided].flatMap(([word, phrases]) => {
    const rest = phrases.reduce(
      (text, phrase) => text.replaceAll(new RegExp(RegExp.escape(phrase), 'gi'), ''),
      line,
    );
    return new RegExp(`\\b${word}s?\\b`, 'i').test(rest) ? [word] : [];
  });
}

/** Comments, texts and regular expressions, which hold no names; a template's expressions are left out with it. */
const NO_NAMES =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};>]\s*|return\s+)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;

function namesIn(source: string): Set<string> {
  return new Set(source.replaceAll(NO_NAMES, ' ').match(/[A-Za-z_$][\w$]*/g));
}

/** Words of a name, in lower case and without a plural s: `UserMessages` has `user` and `message`. */
function partsOf(name: string): string[] {
  const parts = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return parts
    .map((part) => part.toLowerCase())
    .map((part) => (avoided.has(part) ? part : part.replace(/s$/, '')));
}
