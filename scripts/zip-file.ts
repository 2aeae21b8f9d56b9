import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  /** With `/` between its parts. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** 1 January 2000 in the format of MS-DOS, so that the same files make the same archive. */
const DATE = ((2000 - 1980) << 9) | (1 << 5) | 1;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;
/** A plain file of Unix that all may read. */
const ATTRIBUTES = (0o100644 << 16) >>> 0;

/** A ZIP archive of up to 65,535 files and 4 GiB. */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const packed = deflateRawSync(bytes, { level: 9 });
    const common = commonFields({ crc: crc32(bytes), packed: packed.length, size: bytes.length, name });
    const local = Buffer.concat([fields([0x04034b50, 4]), common, fields([0, 2]), Buffer.from(name)]);
    directory.push(
      Buffer.concat([
        fields([0x02014b50, 4], [(3 << 8) | VERSION, 2]),
        common,
        fields([0, 2], [0, 2], [0, 2], [0, 2], [ATTRIBUTES, 4], [offset, 4]),
        Buffer.from(name),
      ]),
    );
    parts.push(local, packed);
    offset += local.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const count = entries.length;
  const end = fields(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [list.length, 4],
    [offset, 4],
    [0, 2],
  );
  return Buffer.concat([...parts, list, end]);
}

interface Packed {
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly name: string;
}

function commonFields({ crc, packed, size, name }: Packed): Buffer {
  return fields(
    [VERSION, 2],
    [UTF8_NAMES, 2],
    [DEFLATED, 2],
    [0, 2],
    [DATE, 2],
    [crc, 4],
    [packed, 4],
    [size, 4],
    [Buffer.byteLength(name), 2],
  );
}

/** Numbers with their lengths in bytes, the lowest byte first. */
function fields(...all: readonly (readonly [value: number, bytes: number])[]): Buffer {
  const buffer = Buffer.alloc(all.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of all) {
    buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}
