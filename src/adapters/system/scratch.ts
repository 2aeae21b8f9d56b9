import { closeSync, constants, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { memoryScratch, type Scratch } from '../../domain/ledger/evidence/scratch.ts';
import { temporaryName } from '../paths/change-directory.ts';

const BYTES = 4;
const BLOCK_ROWS = 16_384;
const NEW = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** A file without a name in `directory`, so that a crash leaves nothing behind; in memory where none can be made. */
export async function openScratchIn(directory: string, columns: number): Promise<Scratch> {
  const descriptor = openUnnamed(directory);
  return descriptor === undefined ? memoryScratch(columns) : scratchAt(descriptor, columns);
}

function scratchAt(descriptor: number, columns: number): Scratch {
  const block = new Uint32Array(columns * BLOCK_ROWS);
  let [rows, written] = [0, 0];
  const flush = () => {
    const used = columns * (rows - written);
    if (used > 0) writeSync(descriptor, block, 0, used * BYTES, written * columns * BYTES);
    written = rows;
  };
  return {
    get rows() {
      return rows;
    },
    add(row) {
      block.set(row, columns * (rows - written));
      rows += 1;
      if (rows - written === BLOCK_ROWS) flush();
    },
    column(at, into) {
      flush();
      for (let start = 0; start < rows; start += BLOCK_ROWS) {
        const count = Math.min(BLOCK_ROWS, rows - start);
        readSync(descriptor, block, 0, count * columns * BYTES, start * columns * BYTES);
        for (let row = 0; row < count; row++) into[start + row] = block[row * columns + at] ?? 0;
      }
      return into.subarray(0, rows);
    },
    close: () => closeSync(descriptor),
  };
}

function openUnnamed(directory: string): number | undefined {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const file = path.join(directory, temporaryName());
    const descriptor = openSync(file, NEW, 0o600);
    rmSync(file);
    return descriptor;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
