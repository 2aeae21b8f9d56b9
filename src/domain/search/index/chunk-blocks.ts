/** Data for ranking every chunk, in blocks of fixed size. A process keeps all blocks and reads only changed ones. */

/** Small enough to rewrite for a single chunk. */
export const BLOCK_SIZE = 1024;

export const WITH_CODE = 1;
/** Marks a text without words. */
export const NOTHING_TO_EMBED = 2;

export interface ChunkBlock {
  /** Its first chunk has the number `number` × `BLOCK_SIZE`. */
  readonly number: number;
  readonly present: Uint8Array;
  readonly lengths: Uint16Array;
  readonly groups: Uint32Array;
}

export interface CodeBlock {
  /** Its first chunk has the number `number` × `BLOCK_SIZE`. */
  readonly number: number;
  /** `WITH_CODE`, `NOTHING_TO_EMBED`, or 0 for a chunk that has not been embedded yet. */
  readonly present: Uint8Array;
  /** One bit for each dimension: is it positive? */
  readonly codes: Uint8Array;
}

export function emptyChunkBlock(number: number): ChunkBlock {
  return {
    number,
    present: new Uint8Array(BLOCK_SIZE),
    lengths: new Uint16Array(BLOCK_SIZE),
    groups: new Uint32Array(BLOCK_SIZE),
  };
}

export function emptyCodeBlock(number: number, codeBytes: number): CodeBlock {
  return {
    number,
    present: new Uint8Array(BLOCK_SIZE),
    codes: new Uint8Array(BLOCK_SIZE * codeBytes),
  };
}

/** Rounded up to 8 bytes, so that the kernel reads 64 bits at a time. */
export function codeBytesFor(dimension: number): number {
  return Math.ceil(dimension / 64) * 8;
}
