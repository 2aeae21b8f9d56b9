/** Finds and removes files that hold what is erased, and keeps the tombstones. */

import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { memberOf, parseJson } from '../../base/json.ts';
import type { Tombstone } from '../../domain/backup/erase.ts';
import { renameIn, temporaryName } from '../paths/change-directory.ts';
import { openFile, readPlainFile } from '../paths/open-path.ts';
import { filesBelow } from './backup/read-files.ts';

const PIECE = 8 * 1024 * 1024;
/** Longer than any part of a text that is looked for. */
const OVERLAP = 1024;

/** Absolute paths of the plain files below a directory that `is` is true for. */
export async function filesHolding(
  directory: string,
  is: (file: string, content: () => Iterable<Buffer>) => boolean,
): Promise<string[]> {
  const { files } = await filesBelow(directory, () => false);
  return files.map((name) => path.join(directory, name)).filter((file) => is(file, () => piecesOf(file)));
}

/** Pieces that overlap, so that what is looked for lies whole in one of them. None of a file that cannot be read. */
function* piecesOf(file: string): Generator<Buffer> {
  let descriptor: number;
  try {
    descriptor = openFile(file);
  } catch {
    return;
  }
  try {
    const { size } = fstatSync(descriptor);
    for (let at = 0; at < size; at += PIECE - OVERLAP) {
      const piece = Buffer.alloc(Math.min(PIECE, size - at));
      yield piece.subarray(0, readSync(descriptor, piece, 0, piece.length, at));
    }
  } finally {
    closeSync(descriptor);
  }
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
const MOST_BYTES = 1024 * 1024 * 1024;

/** Replaces a file by its changed lines, at once; undefined: the line goes. A missing file stays missing. */
export function changeLines(file: string, change: (line: string) => string | undefined): void {
  const bytes = readPlainFile(file, MOST_BYTES);
  if (bytes === undefined || bytes === 'too-large') return;
  const before = bytes.toString('utf8');
  const after = changedLines(before, change);
  if (after === before) return;
  const fresh = path.join(path.dirname(file), temporaryName());
  const descriptor = openFile(fresh, { flags: NEW });
  try {
    writeFileSync(descriptor, after);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameIn(path.dirname(file), path.basename(fresh), path.basename(file));
}

export function changedLines(text: string, change: (line: string) => string | undefined): string {
  return text
    .split('\n')
    .flatMap((line) => (line === '' ? [line] : (change(line) ?? [])))
    .join('\n');
}

/** In the operator's data directory. */
export function tombstonesIn(file: string) {
  return {
    add(tombstone: Tombstone): void {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      appendFileSync(file, `${JSON.stringify(tombstone)}\n`, { mode: 0o600, flush: true });
    },
    all(): readonly Tombstone[] {
      const bytes = readPlainFile(file, MOST_BYTES);
      return String(bytes ?? '')
        .split('\n')
        .flatMap(parseTombstone);
    },
  };
}

function parseTombstone(line: string): Tombstone[] {
  const value = parseJson(line);
  const [kind, id, at, ledger] = ['kind', 'id', 'at', 'ledger'].map((name) => memberOf(value, name));
  const isKnown = kind === 'entry' || kind === 'conversation' || kind === 'topic';
  if (!isKnown || typeof id !== 'string' || typeof at !== 'number') return [];
  return [{ kind, id, at, ...(typeof ledger === 'string' && { ledger }) }];
}
