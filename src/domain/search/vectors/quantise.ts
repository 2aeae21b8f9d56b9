/** Vectors in few bytes: a signed byte for each dimension to compare exactly, a bit for each to find candidates. */

import { codeBytesFor } from '../index/chunk-blocks.ts';

/** Scales the largest component to 127; undefined for a zero vector. */
export function quantise(vector: ArrayLike<number>): Int8Array | undefined {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at] as number));
  if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return undefined;
  const row = new Int8Array(vector.length);
  for (let at = 0; at < vector.length; at++) row[at] = Math.round(((vector[at] as number) / largest) * 127);
  return row;
}

/** One bit for each dimension: is it positive? */
export function codeOf(vector: ArrayLike<number>): Uint8Array {
  const code = new Uint8Array(codeBytesFor(vector.length));
  for (let at = 0; at < vector.length; at++) {
    if ((vector[at] as number) > 0) code[at >> 3] = (code[at >> 3] as number) | (1 << (at & 7));
  }
  return code;
}

/** Undefined for a zero vector. */
export function normalised(vector: ArrayLike<number>): Float32Array | undefined {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  const length = Math.sqrt(squares);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY)) return undefined;
  const result = new Float32Array(vector.length);
  for (let at = 0; at < vector.length; at++) result[at] = (vector[at] as number) / length;
  return result;
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
