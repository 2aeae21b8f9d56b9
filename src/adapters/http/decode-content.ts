import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { Fault } from '../../base/fault.ts';

/** The value of `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

export type Bytes = AsyncIterable<Uint8Array>;

/** Decompresses one layer lazily, so that a decompression bomb ends when its consumer stops reading. */
export type Decoder = (packed: Bytes) => Bytes;

/** The decoders for a `Content-Encoding`, in the order in which to apply them. */
export function decodersFor(contentEncoding: string | undefined, href: string): Decoder[] {
  const names = (contentEncoding ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > MAX_LAYERS) {
    throw new Fault(
      'net/protocol',
      `${href} is packed ${names.length} times over; ken unpacks ${MAX_LAYERS}.`,
    );
  }
  return names.reverse().map((name) => {
    const open = ENCODINGS.get(name);
    if (!open) throw new Fault('net/protocol', `${href} has a compression that ken does not accept.`);
    return (packed) => unpack(packed, open);
  });
}

const MAX_LAYERS = 2;

const ENCODINGS = new Map<string, (first: Uint8Array) => Transform>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  // `deflate` means the zlib format, but some servers send a raw stream; the first byte tells them apart.
  ['deflate', ([byte = 0]) => ((byte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw())],
  ['br', () => zlib.createBrotliDecompress()],
  // RFC 9659 limits the window to 8 MiB.
  ['zstd', () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } })],
]);

async function* unpack(packed: Bytes, open: (first: Uint8Array) => Transform): Bytes {
  const rest = packed[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done) return;
  const decoder = open(first.value);
  // Reading the decoder throws the error of either side.
  pipeline(Readable.from(withFirst(first.value, rest)), decoder, () => {});
  yield* decoder;
}

async function* withFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  try {
    yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
