import { WireError } from '../wire/codec.ts';
import { HEADER_BYTES } from '../wire/messages.ts';

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Takes messages out of what arrives on a pipe. A message that comes in parts is copied as it comes: a process that
 * writes single bytes would otherwise make ken hold a buffer for each of them.
 */
export class FrameReader {
  /** The longest message that is accepted. */
  longest = 64;
  /** Received and not taken. */
  #rest = NOTHING;
  #partial: { readonly bytes: Buffer; filled: number } | undefined;

  /** Whether bytes have arrived after the last message that was taken. */
  get hasMore(): boolean {
    return this.#rest.length > 0 || this.#partial !== undefined;
  }

  /** To be called after `next` has returned undefined. */
  add(bytes: Buffer): void {
    if (this.#partial) this.#rest = fill(this.#partial, bytes);
    else this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
  }

  /** The next whole message, if it has arrived. Throws a WireError as soon as a length is too large. */
  next(): Buffer | undefined {
    if (this.#partial) return this.#finished(this.#partial);
    if (this.#rest.length < HEADER_BYTES) return undefined;
    const length = this.#rest.readUInt32LE();
    if (length > this.longest) throw new WireError(`a message of ${length} bytes`);
    const end = HEADER_BYTES + length;
    const arrived = this.#rest.subarray(HEADER_BYTES, end);
    this.#rest = this.#rest.subarray(end);
    if (arrived.length === length) return arrived;
    const partial = { bytes: Buffer.allocUnsafe(length), filled: 0 };
    fill(partial, arrived);
    this.#partial = partial;
    return undefined;
  }

  #finished({ bytes, filled }: { readonly bytes: Buffer; readonly filled: number }): Buffer | undefined {
    if (filled < bytes.length) return undefined;
    this.#partial = undefined;
    return bytes;
  }

  clear(): void {
    this.#rest = NOTHING;
    this.#partial = undefined;
  }
}

/** Returns the bytes that there is no room for. */
function fill(partial: { readonly bytes: Buffer; filled: number }, bytes: Buffer): Buffer {
  const taken = bytes.copy(partial.bytes, partial.filled);
  partial.filled += taken;
  return bytes.subarray(taken);
}
