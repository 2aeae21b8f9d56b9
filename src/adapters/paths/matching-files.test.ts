import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { directoryOfPattern, filesMatching } from './matching-files.ts';

function tree(...files: readonly string[]): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'ken-matching-')));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const file of files) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), file);
  }
  return root;
}

const FILES = ['a.toml', 'b.md', '.env', 'c/a.toml', 'c/d/a.toml', 'c/.x/a.toml', 'node_modules/p/a.toml'];

it.each([
  ['*.toml', ['a.toml']],
  ['{a,b}.*', ['a.toml', 'b.md']],
  ['*/*.toml', ['c/a.toml']],
  ['**/a.toml', ['a.toml', 'c/a.toml', 'c/d/a.toml']],
  ['c/**', ['c/a.toml', 'c/d/a.toml']],
  ['{c,x}/d/*', ['c/d/a.toml']],
  ['./c/*.toml', ['c/a.toml']],
  ['.e*', ['.env']],
  ['c/.x/*.toml', ['c/.x/a.toml']],
  ['c/../?.md', ['b.md']],
  ['none/*', []],
])('%s matches %j', async (pattern, expected) => {
  const root = tree(...FILES);
  const found = await filesMatching(root, pattern, { skips: (name) => name === 'node_modules' });
  expect(found.map((file) => path.relative(root, file))).toEqual(expected);
});

it('enters no link where the pattern does not say how deep, and no directory that is a link to one above', async () => {
  const root = tree('c/a.md');
  symlinkSync('..', path.join(root, 'c/up'));
  expect(await filesMatching(root, '**/*.md')).toEqual([path.join(root, 'c/a.md')]);
  expect(await filesMatching(root, 'c/up/*/*.md')).toEqual([path.join(root, 'c/up/c/a.md')]);
});

it('ends soon, whatever the pattern', async () => {
  const root = tree(...Array.from({ length: 30 }, (_, at) => `f${at}`));
  const began = performance.now();
  await expect(filesMatching(root, '{a,b}'.repeat(16))).rejects.toMatchObject({ code: 'config/invalid' });
  await expect(filesMatching(root, '**/*', { mostEntries: 20 })).rejects.toThrow('looks at too many files');
  expect(performance.now() - began).toBeLessThan(5000);
});

it('tells where a pattern looks', () => {
  expect(
    ['/**/*.toml', '../x/*.toml', 'a/b*/c', '*.toml'].map((pattern) => directoryOfPattern('/w/d', pattern)),
  ).toEqual(['/', '/w/x', '/w/d/a', '/w/d']);
});
