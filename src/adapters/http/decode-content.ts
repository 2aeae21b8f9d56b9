import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { Fault } from '../../base/fault.ts';

/** The header `Accept-Encoding`: what the decoders below understand. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br, zstd';

export type Bytes = AsyncIterable<Uint8Array>;

/** Unpacks one layer. It reads no further ahead than its consumer asks, so that a bomb ends where the consumer stops. */
export type Decoder = (packed: Bytes) => Bytes;

/** The decoders for a `Content-Encoding`, in the order in which the body runs through them. */
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
    if (!open) throw new Fault('net/protocol', `${href} is packed in a way that ken did not ask for.`);
    return (packed) => unpack(packed, open);
  });
}

const MAX_LAYERS = 2;

const ENCODINGS = new Map<string, (first: Uint8Array) => Transform>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  // The name means the zlib format, yet some servers send the bare stream; the first byte tells.
  ['deflate', ([byte = 0]) => ((byte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw())],
  ['br', () => zlib.createBrotliDecompress()],
  // RFC 9659: a window of 8 MiB is all that a server may count on, and all that a client need spend.
  ['zstd', () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } })],
]);

async function* unpack(packed: Bytes, open: (first: Uint8Array) => Transform): Bytes {
  const rest = packed[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done) return;
  const decoder = open(first.value);
  // A failure of either side surfaces below, where the decoder is read.
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
