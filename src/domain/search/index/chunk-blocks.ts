/**
 * What ranking must know of every chunk, by number, in blocks of fixed size: which ones are there, how long each is,
 * to which group it belongs, and its code. A process keeps all of them and asks only for blocks that have changed.
 */

/** Small enough to be written anew for a single chunk. */
export const BLOCK_SIZE = 1024;

export const WITH_CODE = 1;
/** Its text has no words. */
export const NOTHING_TO_EMBED = 2;

export interface ChunkBlock {
  /** The first chunk has this times `BLOCK_SIZE`. */
  readonly number: number;
  /** 1 for a chunk that is there. */
  readonly present: Uint8Array;
  readonly lengths: Uint16Array;
  readonly groups: Uint32Array;
}

export interface CodeBlock {
  /** The first chunk has this times `BLOCK_SIZE`. */
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

/** Whole eights of bytes, so that a processor can take them at a gulp. */
export function codeBytesFor(dimension: number): number {
  return Math.ceil(dimension / 64) * 8;
}
