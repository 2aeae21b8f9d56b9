/** Reads entries of a ZIP file, up to a limit that all of them share. */

import { inflateRawSync } from 'node:zlib';
import { DocumentProblem } from './problem.ts';

const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

export interface ZipEntries {
  /** Undefined when there is no such entry. Throws a `DocumentProblem` for one that cannot be unpacked. */
  text(name: string): string | undefined;
}

/** Undefined when the bytes are no ZIP file. Of entries with one name the first counts. */
export function zipEntries(zip: Buffer): ZipEntries | undefined {
  const entries = damagedUnless(() => directoryOf(zip));
  if (!entries && zip.subarray(0, 4).equals(LOCAL_HEADER_MARK)) throw new DocumentProblem('it is damaged');
  if (!entries) return undefined;
  let left = MAX_UNPACKED_BYTES;
  return {
    text(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      if (entry.isEncrypted) throw new DocumentProblem('it is encrypted');
      const unpacked = damagedUnless(() => unpack(zip, entry, left));
      left -= unpacked.length;
      return unpacked.toString('utf8');
    },
  };
}

/** How a ZIP file begins, also one that has lost its end. */
const LOCAL_HEADER_MARK = Buffer.from('504b0304', 'hex');
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
/** The end record, and the longest comment behind it. */
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const DEFLATED = 8;

interface ZipEntry {
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packedBytes: number;
  /** Offset of its local header. */
  readonly start: number;
}

function directoryOf(zip: Buffer): ReadonlyMap<string, ZipEntry> | undefined {
  const end = endRecord(zip);
  if (end === undefined) return undefined;
  const entries = new Map<string, ZipEntry>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY) break;
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + DIRECTORY_ENTRY_BYTES, at + DIRECTORY_ENTRY_BYTES + nameBytes);
    if (!entries.has(name)) {
      entries.set(name, {
        method: zip.readUInt16LE(at + 10),
        isEncrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
        packedBytes: zip.readUInt32LE(at + 20),
        start: zip.readUInt32LE(at + 42),
      });
    }
    at += DIRECTORY_ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return entries;
}

function endRecord(zip: Buffer): number | undefined {
  const first = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = zip.length - END_BYTES; at >= first; at--) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  return undefined;
}

function unpack(zip: Buffer, entry: ZipEntry, most: number): Buffer {
  const start = entry.start + LOCAL_HEADER_BYTES;
  const names = zip.readUInt16LE(start - 4) + zip.readUInt16LE(start - 2);
  const packed = zip.subarray(start + names, start + names + entry.packedBytes);
  if (entry.method === DEFLATED && most > 0) return inflateRawSync(packed, { maxOutputLength: most });
  if (entry.method !== 0 && entry.method !== DEFLATED)
    throw new DocumentProblem('it is packed in an unknown way');
  if (packed.length > most) throw new DocumentProblem(TOO_LARGE);
  return packed;
}

const TOO_LARGE = `its text unpacks to more than ${MAX_UNPACKED_BYTES / 1024 ** 2} MiB`;

function damagedUnless<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof DocumentProblem) throw error;
    const isTooLarge =
      error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new DocumentProblem(isTooLarge ? TOO_LARGE : 'it is damaged', { cause: error });
  }
}
