import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { treeSitterChunker } from '../../src/adapters/chunkers/tree-sitter.ts';
import type { FileText } from '../../src/domain/chunks/chunk.ts';
import { expectWholeFile } from '../../src/domain/chunks/chunker.contract.ts';
import { fileKind, LANGUAGES } from '../../src/domain/chunks/file-kind.ts';
import { lineChunks, plainChunks } from '../../src/domain/chunks/plain-chunks.ts';
import { scaled } from '../scale.ts';

const root = path.join(import.meta.dirname, '../..');
const chunker = treeSitterChunker();
afterAll(() => chunker.close());

const MOST_BYTES = 300_000;
/** Of each kind of file. */
const MOST_FILES = scaled(60);

/** Of each kind as many as wanted, spread over the whole tree. */
function filesByKind(directories: readonly string[]): Map<string, string[]> {
  const files = directories
    .flatMap((directory) => readdirSync(path.join(root, directory), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fileKind(file) !== 'text' && statSync(file).size <= MOST_BYTES)
    .sort();
  const byKind = Map.groupBy(files, fileKind);
  return new Map([...byKind].map(([kind, found]) => [kind, spread(found)]));
}

function spread(files: readonly string[]): string[] {
  const step = Math.max(1, files.length / MOST_FILES);
  const count = Math.min(files.length, MOST_FILES);
  return Array.from({ length: count }, (_, at) => files[Math.floor(at * step)] ?? '');
}

async function expectWhole(file: FileText): Promise<void> {
  expectWholeFile(file, lineChunks(file.text));
  expectWholeFile(file, plainChunks(file));
  expectWholeFile(file, await chunker.chunk(file));
}

const packages = filesByKind(['node_modules', 'src', 'docs', 'scripts']);

it.each([...packages.keys()].sort())('gives back every byte of installed packages: %s', async (kind) => {
  for (const file of packages.get(kind) ?? []) {
    await expectWhole({ path: file, text: readFileSync(file, 'utf8') });
  }
});

it.each(LANGUAGES)(
  'gives back every byte of %s, with line ends of both kinds and without the last',
  async (language) => {
    const samples = path.join(import.meta.dirname, 'samples');
    const name = readdirSync(samples).find((entry) => entry.startsWith(`${language}.`)) ?? 'none';
    const sample = readFileSync(path.join(samples, name), 'utf8');
    const file = name.replace(/\.txt$/, '');
    for (const times of [1, 25, 100]) {
      const text = sample.repeat(times);
      for (const variant of [text, text.replaceAll('\n', '\r\n'), text.trimEnd(), `\ufeff${text}`]) {
        await expectWhole({ path: file, text: variant });
      }
    }
  },
);

it('has looked at real files of most kinds', () => {
  const kinds = ['c', 'cpp', 'javascript', 'json', 'markdown', 'typescript', 'yaml'];
  expect(kinds.filter((kind) => !packages.has(kind))).toEqual([]);
});
