import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { readCompiledGlue, writeCompiledGlue } from './compiled-glue.ts';

const CODE = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);

function kept(): string {
  const file = path.join(temporaryDirectory(), 'glue.code');
  writeCompiledGlue(file, CODE);
  return file;
}

it('gives back what was kept', () => {
  expect(Buffer.from(readCompiledGlue(kept()) ?? []).equals(CODE)).toBe(true);
});

it('gives nothing that is not there', () => {
  expect(readCompiledGlue(path.join(temporaryDirectory(), 'glue.code'))).toBeUndefined();
});

it.each([
  ['a changed byte', (bytes: Buffer) => bytes.fill(7, 500, 501)],
  ['its end missing', (bytes: Buffer) => bytes.subarray(0, -1)],
  ['more behind it', (bytes: Buffer) => Buffer.concat([bytes, Buffer.of(1)])],
  ['nothing in it', () => Buffer.alloc(0)],
])('gives nothing that the engine would stumble over: %s', (_, damage) => {
  const file = kept();
  writeFileSync(file, damage(readFileSync(file)));
  expect(readCompiledGlue(file)).toBeUndefined();
});

it('takes no harm from a directory that is gone', () => {
  writeCompiledGlue('/nonexistent/glue.code', CODE);
});
