/**
 * Tries to write, as a process of its own: `write-child.ts FILE BYTES [--nobody|--self]`.
 * With `--nobody` root gives its rights away first, since nothing is read-only to root.
 * Prints what came of it and what the directory holds afterwards.
 */

import { readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createExclusive, writeAtomically } from '../../src/adapters/files/atomic-write.ts';
import { Fault } from '../../src/base/fault.ts';

const [file = '', bytes = '', nobody] = process.argv.slice(2);
const NOBODY = 65534;
if (nobody === '--nobody') {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
if (!nobody) writeFileSync(file, 'old');

const outcomes: unknown[] = [];
for (const write of [
  () => writeAtomically(file, 'x'.repeat(Number(bytes))),
  () => createExclusive(`${file}.new`, 'x'.repeat(Number(bytes))),
]) {
  try {
    await write();
    outcomes.push('written');
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    outcomes.push({ code: error.code, message: error.message, hint: error.hint });
  }
}
const directory = path.dirname(file);
writeSync(
  1,
  JSON.stringify({ outcomes, content: readFileSync(file, 'utf8'), files: readdirSync(directory) }),
);
