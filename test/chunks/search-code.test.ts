import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import grammarManifest from '../../grammars/manifest.json' with { type: 'json' };
import { LANGUAGES } from '../../src/domain/chunks/file-kind.ts';
import type { Envelope } from '../../src/domain/search/engine/hit.ts';
import { sandboxHere } from '../cli/ken-here.ts';

const root = path.join(import.meta.dirname, '../..');

/** Large enough that each function is a chunk of its own. */
function source(): string {
  const body = (name: string) => `    console.log('${name} is busy with something');\n`.repeat(45);
  return `export class Ferry {
  /** Sails across the strait. */
  sail() {
${body('sailing')}  }

  /** Moors at the quay with two ropes. */
  moor() {
${body('mooring')}  }
}
`;
}

it('finds a method of a subject that is code, by its symbol, and cites exactly its lines', async () => {
  const box = sandboxHere('[kb.topic.project]\nsubjects = "kb"\n');
  box.write('kb/ferry.ts', source());
  box.write(
    'kb/settings.yaml',
    `ports:\n${'  busy: true\n'.repeat(99)}harbour:\n  ropes: 2\n${'  calm: true\n'.repeat(99)}`,
  );
  const search = async (question: string) => {
    const { stdout } = await box.ken(['search', '--json', '--budget', '5000', question]);
    const [hit] = (JSON.parse(stdout) as Envelope).hits;
    return { title: hit?.title, uri: hit?.citation.uri ?? '', text: hit?.text };
  };
  const moor = await search('moor at the quay');
  const lines = source().split('\n');
  const first = lines.findIndex((line) => line.includes('Moors'));
  expect(moor.title).toBe('ferry › Ferry › moor');
  expect(moor.uri).toBe(`ken://kb/project/ferry#L${first + 1}-L${lines.length - 1}`);
  const shown = await box.ken(['show', moor.uri]);
  expect(shown.stdout).toBe(`${lines.slice(first, -1).join('\n')}\n`);
  expect(moor.text).toBe(shown.stdout);
  expect((await search('harbour ropes')).title).toBe('settings › harbour');
});

it('ships a grammar for every language, with the licences', () => {
  const shipped = readdirSync(path.join(root, 'dist/chunkers')).sort();
  const grammars = [...LANGUAGES, 'runtime'].map((name) => `${name}.wasm.gz`);
  expect(shipped).toEqual(['LICENSES.txt', ...grammars, 'parse-worker.js'].sort());
  const licences = readFileSync(path.join(root, 'dist/chunkers/LICENSES.txt'), 'utf8');
  const packages = Object.values(grammarManifest).map((grammar) => grammar.package);
  expect([...packages, 'web-tree-sitter'].filter((name) => !licences.includes(name))).toEqual([]);
});
