import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { openScratchIn } from './scratch.ts';

const ROWS = 40_000;

it('gives back every column, also of rows beyond a block, and leaves no file', async () => {
  const directory = path.join(temporaryDirectory(), 'new');
  const scratch = await openScratchIn(directory, 3);
  for (let row = 0; row < ROWS; row++) scratch.add([row, 0xffff_ffff, row * 3]);
  expect(readdirSync(directory)).toEqual([]);
  expect(scratch.rows).toBe(ROWS);
  expect(scratch.column(2, new Uint32Array(ROWS))).toEqual(
    Uint32Array.from({ length: ROWS }, (_, row) => row * 3),
  );
  scratch.add([7, 8, 9]);
  expect(scratch.column(1, new Uint32Array(ROWS + 1)).at(-1)).toBe(8);
  expect(scratch.column(0, new Uint32Array(ROWS + 5))).toHaveLength(ROWS + 1);
  scratch.close();
});

it('is in memory where no file can be made', async () => {
  const directory = temporaryDirectory();
  mkdirSync(path.join(directory, 'a'));
  writeFileSync(path.join(directory, 'file'), '');
  const scratch = await openScratchIn(path.join(directory, 'file/below'), 2);
  scratch.add([1, 2]);
  expect(scratch.column(1, new Uint32Array(1))).toEqual(Uint32Array.of(2));
});
