/** Reads the files of a backup: plain files alone, without following links or waiting for pipes. */

import { closeSync, fstatSync, lstatSync, readSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import type { OpenFile } from '../../../domain/backup/backup-files.ts';
import { isAbsence, openFile } from '../../paths/open-path.ts';
import { isSystemError } from '../file-fault.ts';

export interface FoundFiles {
  /** Relative to the directory, with slashes. */
  readonly files: readonly string[];
  /** Links, pipes, devices, files that are mostly holes, and directories that cannot be read. */
  readonly odd: readonly string[];
}

/** All files below a directory; none when it is missing. `skips` is asked with the path of each file and directory. */
export async function filesBelow(directory: string, skips: (path: string) => boolean): Promise<FoundFiles> {
  const files: string[] = [];
  const odd: string[] = [];
  const pending = [''];
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    const entries = await entriesOf(path.join(directory, below));
    if (!entries) odd.push(below);
    for (const entry of entries ?? []) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (skips(name)) continue;
      if (entry.isDirectory()) pending.push(name);
      else (entry.isFile() && !isMostlyHoles(path.join(directory, name)) ? files : odd).push(name);
    }
  }
  return { files, odd: odd.filter((name) => name !== '') };
}

/** Nobody wrote such a file, and its archive would take hours. */
function isMostlyHoles(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.size > GIBIBYTE && stats.blocks * BLOCK_BYTES < stats.size / 1000;
}

const GIBIBYTE = 1024 ** 3;
const BLOCK_BYTES = 512;

async function entriesOf(directory: string) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return error.code === 'ENOENT' ? [] : undefined;
  }
}

export interface ReadLimits {
  /** No more than the first bytes, as many as there were at the moment of the snapshot. */
  readonly bytes?: number | undefined;
  /** Whole lines only: another process may be writing the last one. */
  readonly wholeLines?: boolean;
}

/** Undefined when the file is gone or not plain. */
export async function openPlainFile(file: string, limits: ReadLimits = {}): Promise<OpenFile | undefined> {
  const descriptor = openUnlessOdd(file);
  if (descriptor === undefined) return undefined;
  const stats = fstatSync(descriptor);
  const size = Math.min(stats.size, limits.bytes ?? stats.size);
  const bytes = limits.wholeLines ? endOfLastLine(descriptor, size) : size;
  return { bytes, modifiedAt: Math.floor(stats.mtimeMs), content: contentOf(file, descriptor, bytes) };
}

function openUnlessOdd(file: string): number | undefined {
  try {
    return openFile(file);
  } catch (error) {
    if (isAbsence(error) || (error instanceof Fault && error.code === 'files/refused')) return undefined;
    throw error;
  }
}

const PIECE = 256 * 1024;

function endOfLastLine(descriptor: number, size: number): number {
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - PIECE);
    const piece = Buffer.alloc(end - start);
    const at = piece.subarray(0, readSync(descriptor, piece, 0, piece.length, start)).lastIndexOf(0x0a);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

async function* contentOf(file: string, descriptor: number, bytes: number): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < bytes; ) {
      const piece = Buffer.alloc(Math.min(PIECE, bytes - at));
      const bytesRead = readSync(descriptor, piece, 0, piece.length, at);
      if (bytesRead === 0)
        throw new Fault('backup/changed', `${file} became shorter while it was read.`, {
          hint: 'Try again when no other program is writing there.',
        });
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    closeSync(descriptor);
  }
}
