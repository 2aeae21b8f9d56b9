import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { Fault } from '../../base/fault.ts';
import {
  privateDirectory,
  pruneCache,
  readCompiledGlue,
  readRefusal,
  writeCompiledGlue,
  writeRefusal,
} from './component-cache.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65534;

it('makes a directory that only its owner can enter', () => {
  const directory = path.join(temporaryDirectory(), 'a/b');
  expect(privateDirectory(directory)).toBe(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

it('takes no link for a directory', () => {
  const base = temporaryDirectory();
  mkdirSync(path.join(base, 'elsewhere'));
  symlinkSync('elsewhere', path.join(base, 'link'));
  expect(privateDirectory(path.join(base, 'link'))).toBeUndefined();
});

it.skipIf(!isRoot)("keeps nothing in somebody else's directory (needs root to make one)", () => {
  const directory = path.join(temporaryDirectory(), 'theirs');
  mkdirSync(directory, { mode: 0o700 });
  chownSync(directory, NOBODY, NOBODY);
  expect(privateDirectory(directory)).toBeUndefined();
});

it('keeps the newest', () => {
  const directory = temporaryDirectory();
  const names = Array.from({ length: 130 }, (_, at) => `entry-${at}`);
  for (const [at, name] of names.entries()) {
    mkdirSync(path.join(directory, name));
    utimesSync(path.join(directory, name), 1_600_000_000 + at, 1_600_000_000 + at);
  }
  pruneCache(directory);
  expect(new Set(readdirSync(directory))).toEqual(new Set(names.slice(2)));
});

const CODE = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);

function compiledGlue(): string {
  const file = path.join(temporaryDirectory(), 'glue.code');
  writeCompiledGlue(file, CODE);
  return file;
}

it('reads the compiled glue that was written', () => {
  expect(Buffer.from(readCompiledGlue(compiledGlue()) ?? []).equals(CODE)).toBe(true);
});

it('reads no compiled glue where there is none', () => {
  expect(readCompiledGlue(path.join(temporaryDirectory(), 'glue.code'))).toBeUndefined();
});

it.each([
  ['a changed byte', (bytes: Buffer) => bytes.fill(7, 500, 501)],
  ['its end missing', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['more behind it', (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(1)])],
  ['nothing in it', () => Buffer.alloc(0)],
])('reads no damaged compiled glue: %s', (_, damage) => {
  const file = compiledGlue();
  writeFileSync(file, damage(readFileSync(file)));
  expect(readCompiledGlue(file)).toBeUndefined();
});

it('ignores that compiled glue cannot be written', () => {
  writeCompiledGlue('/nonexistent/glue.code', CODE);
});

it('remembers for an hour why a component was refused', () => {
  const entry = path.join(temporaryDirectory(), 'entry');
  expect(readRefusal(entry)).toBeUndefined();
  writeRefusal(entry, new Fault('wasm/malformed', 'It is damaged.', { hint: 'Build it again.' }));
  expect(readRefusal(entry)).toEqual({
    code: 'wasm/malformed',
    message: 'It is damaged.',
    hint: 'Build it again.',
  });
  const long = Date.now() / 1000 - 3601;
  utimesSync(`${entry}.refused`, long, long);
  expect(readRefusal(entry)).toBeUndefined();
});
