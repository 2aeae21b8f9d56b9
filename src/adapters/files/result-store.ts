import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Clock } from '../../base/time.ts';
import type { KeptPart, ResultStore } from '../../domain/tools/limit-result.ts';

const KEPT_MS = 7 * 24 * 3600 * 1000;
const MOST_KEPT = 500;

export function resultStoreOnDisk(
  { clock, ids }: { readonly clock: Clock; readonly ids: IdSource },
  directory: string,
): ResultStore {
  const fileOf = (id: string) => path.join(directory, `${id}.txt`);
  return {
    async keep(text) {
      const id = ids.ulid();
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        removeOld(directory, clock.now());
        writeFileSync(fileOf(id), text, { mode: 0o600, flag: 'wx' });
      } catch (cause) {
        throw new Fault('files/unwritable', `The tool's result cannot be kept in ${directory}.`, { cause });
      }
      return id;
    },
    async read(id, offset, maxBytes) {
      return /^[0-9A-Z]{26}$/.test(id) ? readPart(fileOf(id), offset, maxBytes) : undefined;
    },
  };
}

/** Removes old results; their names sort by age. */
function removeOld(directory: string, now: number): void {
  const files = readdirSync(directory).sort().reverse();
  files.forEach((name, at) => {
    const file = path.join(directory, name);
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (at >= MOST_KEPT || now - changed > KEPT_MS) rmSync(file, { force: true });
  });
}

function readPart(file: string, offset: number, maxBytes: number): KeptPart | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return undefined;
  }
  try {
    const sizeBytes = fstatSync(fd).size;
    const buffer = Buffer.alloc(Math.max(0, Math.min(maxBytes, sizeBytes - offset)));
    const read = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, offset));
    const isLast = offset + read.length >= sizeBytes;
    const whole = isLast ? read : wholeCharacters(read);
    return { text: whole.toString('utf8'), sizeBytes, next: Math.min(offset + whole.length, sizeBytes) };
  } finally {
    closeSync(fd);
  }
}

/** Leaves out a character that is cut off at the end, unless nothing would be left. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > 0 && start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  const first = bytes[start] ?? 0;
  const length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return start > 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}
