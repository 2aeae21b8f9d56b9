import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ALLOWED_LICENCES, bundledParts, thirdPartyPage } from '../../scripts/third-party.ts';

const root = path.join(import.meta.dirname, '../..');

it('has a page of what it contains that is fresh', () => {
  expect(readFileSync(path.join(root, 'THIRD-PARTY.md'), 'utf8'), 'run "npm run docs"').toBe(
    thirdPartyPage(bundledParts()),
  );
});

it('contains nothing whose licence does not allow that', () => {
  const strays = bundledParts().filter(({ licence }) => !ALLOWED_LICENCES.includes(licence));
  expect(strays).toEqual([]);
});

it('has the text of every licence', () => {
  const files = readdirSync(path.join(root, 'dist'), { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => /LICEN[CS]E/i.test(path.basename(file)))
    .map((file) => readFileSync(path.join(root, 'dist', file), 'utf8'))
    .join('\n');
  const silent = bundledParts().filter(({ name, version }) => /^\d/.test(version) && !texts.includes(name));
  expect(silent.map(({ name }) => name)).toEqual([]);
});
