import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { treeSitterChunker } from '../../src/adapters/chunkers/tree-sitter.ts';
import type { FileText } from '../../src/domain/chunks/chunk.ts';
import { expectWholeFile } from '../../src/domain/chunks/chunker.contract.ts';
import { LANGUAGES } from '../../src/domain/chunks/file-kind.ts';
import { lineChunks, plainChunks } from '../../src/domain/chunks/plain-chunks.ts';
import { KINDS, readSource, realFiles } from './real-trees.ts';

const chunker = treeSitterChunker();
afterAll(() => chunker.close());

async function expectWhole(file: FileText): Promise<void> {
  expectWholeFile(file, lineChunks(file.text));
  expectWholeFile(file, plainChunks(file));
  expectWholeFile(file, await chunker.chunk(file));
}

const real = realFiles();

it.for(KINDS)('gives back every byte of real sources: %s', async (kind, context) => {
  const files = real.get(kind) ?? [];
  if (files.length === 0)
    return context.skip(`there is no file of it on this machine; KEN_TEST_SOURCES can name a directory`);
  for (const file of files) await expectWhole(readSource(file));
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

it('has looked at what the project and its packages have', () => {
  const kinds = [
    'c',
    'cpp',
    'css',
    'html',
    'java',
    'javascript',
    'json',
    'kotlin',
    'lua',
    'swift',
    'tsx',
    'typescript',
  ];
  expect(kinds.filter((kind) => real.get(kind)?.length === 0)).toEqual([]);
});
