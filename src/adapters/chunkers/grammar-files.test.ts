import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import manifest from '../../../grammars/manifest.json' with { type: 'json' };
import { LANGUAGES } from '../../domain/chunks/file-kind.ts';
import { readGrammar } from './grammar-files.ts';
import { parseSource } from './source-parser.ts';

const root = path.join(import.meta.dirname, '../../..');
const samples = path.join(root, 'test/chunks/samples');

it('has one vendored grammar for each language, and nothing else', () => {
  expect(Object.keys(manifest).sort()).toEqual([...LANGUAGES].sort());
  const files = LANGUAGES.map((language) => `${language}.wasm.gz`);
  expect(readdirSync(path.join(root, 'grammars')).sort()).toEqual(
    ['LICENSES.txt', 'manifest.json', ...files].sort(),
  );
});

it.each(LANGUAGES)(
  'reads the recorded grammar, and it parses a sample without an error: %s',
  async (language) => {
    const digest = createHash('sha256')
      .update(await readGrammar(language))
      .digest('hex');
    expect(digest).toBe(manifest[language].sha256);
    const sample = readdirSync(samples).find((name) => name.startsWith(`${language}.`)) ?? 'none';
    const tree = await parseSource(readFileSync(path.join(samples, sample), 'utf8'), language, 10_000);
    expect(tree?.rootNode.hasError).toBe(false);
    tree?.delete();
  },
);

it('has the licence text of each package', () => {
  const licences = readFileSync(path.join(root, 'grammars/LICENSES.txt'), 'utf8');
  const packages = Object.values(manifest);
  expect(packages.filter((grammar) => grammar.licence !== 'MIT')).toEqual([]);
  expect(packages.filter((grammar) => !licences.includes(grammar.package))).toEqual([]);
});
