import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { MAY_IMPORT } from './import-table.ts';

/** All that domain/, config/ and base/ may take from outside: no I/O, no clock, no environment. */
const PURE_PACKAGES: Record<string, string[]> = {
  domain: ['zod'],
  config: ['smol-toml', 'toml-eslint-parser'],
  base: [],
};
const MAX_LINES = 400;

const src = path.join(import.meta.dirname, '../src');
const read = (file: string) => readFileSync(path.join(src, file), 'utf8');
const all = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const shipped = all.filter((file) => !/\.(test|contract)\.tsx?$/.test(file));
const within = (file: string, part: string) => file === part || file.startsWith(`${part}/`);
const importsOf = (file: string) =>
  [...read(file).matchAll(/\b(?:from\s+|import\s+|import\s*\(\s*)'([^'\s]+)'/g)].map(([, name = '']) => name);

it.each(shipped)('%s imports only what its part may', (file) => {
  const part = Object.keys(MAY_IMPORT).find((candidate) => within(file, candidate)) ?? 'none';
  expect(MAY_IMPORT, `${file} is in no known part`).toHaveProperty([part]);
  const allowed = [part, ...(MAY_IMPORT[part] ?? [])];
  const packages = PURE_PACKAGES[file.split('/')[0] ?? ''];

  const strays = importsOf(file).filter((name) => {
    if (name.startsWith('.')) return !allowed.some((one) => within(path.join(path.dirname(file), name), one));
    return packages && !packages.some((pure) => name === pure || name.startsWith(`${pure}/`));
  });
  expect(strays).toEqual([]);
});

it.each(shipped.filter((file) => file.startsWith('adapters/')))('%s uses no other technology', (file) => {
  const own = file.split('/').slice(0, 2).join('/');
  const strays = importsOf(file)
    .map((name) => (name.startsWith('.') ? path.join(path.dirname(file), name) : ''))
    .filter((target) => target.startsWith('adapters/') && !within(target, own));
  expect(strays).toEqual([]);
});

it.each(all)('%s is short, and neither mocks modules nor forces types', (file) => {
  expect(read(file).split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  expect(read(file)).not.toMatch(/vi\.mock|as unknown as/);
});
