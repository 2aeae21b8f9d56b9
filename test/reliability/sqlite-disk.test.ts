import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/adapters/sqlite/seam/open-database.ts';
import { childProgram } from '../child-program.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { onSmallDisk, smallDiskProblem } from './small-disk.ts';

const child = childProgram('reliability/fill-database');

function diskFull(file: string) {
  return {
    code: 'store/full',
    message: `The disk is full; nothing was changed in ${file}.`,
    hint: 'Free some space and try again.',
  };
}

it('keeps what was acknowledged when the disk fills up', (context) => {
  const problem = smallDiskProblem();
  if (problem) return context.skip(problem);
  const directory = temporaryDirectory();
  const file = path.join(directory, 'x.db');

  const { stdout, stderr } = onSmallDisk(directory, '256k', [process.execPath, child, file]);

  expect(stderr).toBe('');
  const { faults, acknowledged, found } = JSON.parse(stdout);
  expect(faults).toEqual([diskFull(file)]);
  expect(acknowledged).toBeGreaterThan(5);
  expect(found).toBe(acknowledged);
});

it.for(['4k', '16k', '32k'])('says so when a disk of %s has no room for a new database', (size, context) => {
  const problem = smallDiskProblem();
  if (problem) return context.skip(problem);
  const directory = temporaryDirectory();
  const file = path.join(directory, 'x.db');

  const { stdout, stderr } = onSmallDisk(directory, size, [process.execPath, child, file]);

  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ faults: [diskFull(file), diskFull(file)], acknowledged: 0 });
});

/** As somebody who may only read. */
function asReader(directory: string, file: string): unknown {
  chmodSync(directory, 0o555);
  const flags = process.getuid?.() === 0 ? ['--nobody'] : [];
  const { stdout, stderr } = spawnSync(process.execPath, [child, file, ...flags], { encoding: 'utf8' });
  chmodSync(directory, 0o755);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('says so when there is no database and the directory is read-only', () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'x.db');
  const fault = {
    code: 'files/unwritable',
    message: `${file} cannot be made: permission denied.`,
    hint: `Check who owns ${directory} and whether you may write there.`,
  };
  expect(asReader(directory, file)).toEqual({ faults: [fault, fault], acknowledged: 0 });
  expect(readdirSync(directory)).toEqual([]);
});

it('says so when there is one in a directory that is read-only', async () => {
  const directory = temporaryDirectory();
  const file = path.join(directory, 'x.db');
  await (await openDatabase({ file, kind: 'truth', migrations: [] })).close();
  const fault = {
    code: 'files/unwritable',
    message: `${file} may not be written.`,
    hint: `Check who owns it and ${directory}, and whether you may write there.`,
  };
  expect(asReader(directory, file)).toEqual({ faults: [fault, fault], acknowledged: 0 });
  expect(readdirSync(directory)).toEqual(['x.db']);
});
