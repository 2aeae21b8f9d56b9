/** The ledger files: one JSON object a line, only ever appended to. */

import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { memberOf, parseJson } from '../../base/json.ts';
import type { LedgerFiles, LedgerLine } from '../../domain/ledger/entry/ledger-event.ts';
import type { SharedFiles } from '../../domain/ledger/shared/shared-ledger.ts';
import { makeDirectories, namesIn } from '../paths/change-directory.ts';
import { openFile, readPlainFile, statPlain } from '../paths/open-path.ts';
import { isSystemError, writeFault } from './file-fault.ts';

/** `directory` is created by the first write. */
export function ledgerFilesIn(directory: string): LedgerFiles {
  return {
    lines: (name) => readLines(path.join(directory, name)),
    append: (name, lines) => appendIn(directory, name, lines),
  };
}

/** Files of months. A merge joins the lines of both sides. */
export function sharedFilesIn(directory: string): SharedFiles {
  return {
    list: () =>
      (namesUnlessUnreadable(directory) ?? [])
        .filter((name) => MONTH.test(name))
        .sort()
        .map((name) => ({ name, stamp: stampOf(path.join(directory, name)) })),
    read: (name) => readText(path.join(directory, name)),
    append(name, lines) {
      appendIn(directory, name, lines);
      // Above them, since promotions are committed too.
      writeOnce(path.join(path.dirname(directory), '.gitattributes'), '*.jsonl merge=union -text\n');
    },
  };
}

const MONTH = /^\d{4}-\d\d\.jsonl$/;

function namesUnlessUnreadable(directory: string): string[] | undefined {
  try {
    return namesIn(directory);
  } catch {
    return undefined;
  }
}

function stampOf(file: string): string {
  try {
    const stats = statPlain(file);
    return stats ? [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino].join(' ') : '';
  } catch {
    return '';
  }
}

function writeOnce(file: string, content: string): void {
  try {
    const descriptor = openFile(file, { flags: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL });
    try {
      writeSync(descriptor, content);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code !== 'EEXIST') throw writeFault(file, error);
  }
}

function appendIn(directory: string, name: string, lines: readonly LedgerLine[]): void {
  const file = path.join(directory, name);
  try {
    makeDirectories(directory);
    appendMissing(file, lines);
  } catch (error) {
    throw isSystemError(error) ? writeFault(file, error) : error;
  }
}

const MOST_BYTES = 64 * 1024 * 1024;

/** A file that cannot be read counts as missing. */
function readLines(file: string): readonly string[] {
  return readText(file)?.split('\n') ?? [];
}

function readText(file: string): string | undefined {
  try {
    const bytes = readPlainFile(file, MOST_BYTES);
    return bytes === undefined || bytes === 'too-large' ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  }
}

function appendMissing(file: string, lines: readonly LedgerLine[]): void {
  const descriptor = openFile(file, { flags: APPEND });
  try {
    const stats = fstatSync(descriptor);
    const tail = readTail(descriptor, stats.size);
    const missing = lines.filter(({ eventId }) => !hasEvent(tail, eventId));
    if (missing.length > 0) appendWhole(descriptor, stats.size, tail, missing);
  } finally {
    closeSync(descriptor);
  }
}

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/** A line is written twice only after a crash right after the first time, so the first is near the end. */
const TAIL_BYTES = 4 * 1024 * 1024;

function readTail(descriptor: number, size: number): Buffer {
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const read = readSync(descriptor, tail, 0, tail.length, size - tail.length);
  return tail.subarray(0, read);
}

function hasEvent(tail: Buffer, eventId: string): boolean {
  if (!tail.includes(eventId)) return false;
  const lines = tail.toString('utf8').split('\n');
  return lines.some((line) => line.includes(eventId) && memberOf(parseJson(line), 'event_id') === eventId);
}

/** Writes and syncs all lines; after a failure the file is as it was. */
function appendWhole(descriptor: number, size: number, tail: Buffer, lines: readonly LedgerLine[]): void {
  const torn = tornBytes(tail, lines);
  const kept = size - torn;
  if (torn > 0) ftruncateSync(descriptor, kept);
  const isLineOpen = torn === 0 && tail.length > 0 && tail.at(-1) !== NEWLINE;
  const added = Buffer.from(`${isLineOpen ? '\n' : ''}${lines.map(({ line }) => `${line}\n`).join('')}`);
  try {
    for (let written = 0; written < added.length; ) written += writeSync(descriptor, added, written);
    fsyncSync(descriptor);
  } catch (error) {
    // A full disk may have taken a part; the next line must not be joined to half a line.
    ftruncateSync(descriptor, kept);
    throw error;
  }
}

const NEWLINE = 0x0a;

/** Length of the part that a crash left of the line to be written. Another unfinished last line is not touched. */
function tornBytes(tail: Buffer, [next]: readonly LedgerLine[]): number {
  const torn = tail.subarray(tail.lastIndexOf(NEWLINE) + 1);
  const isOurs = torn.length > 0 && next && Buffer.from(next.line).subarray(0, torn.length).equals(torn);
  return isOurs ? torn.length : 0;
}
