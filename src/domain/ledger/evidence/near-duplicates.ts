/** Finds texts that share most of their words, in time and memory that grow with their number. */

import { FNV_START, fnv1aOfText, fnvStep } from '../../../base/checksum.ts';
import { wordsOf } from '../../words/terms.ts';

/** Share of common three-word sequences (Jaccard) above which texts are near duplicates. */
const LIKENESS = 0.8;
export const BANDS = 12;
const ROWS = 4;

/** Hashes of the three-word sequences of a text, sorted and unique. */
export function shinglesOf(text: string): Uint32Array {
  const words = wordsOf(text);
  if (words.length === 0) return new Uint32Array();
  const hashes = words.map((word) => fnv1aOfText(word));
  const count = Math.max(1, hashes.length - 2);
  const shingles = Uint32Array.from(
    { length: count },
    (_, at) => hashes.slice(at, at + 3).reduce(fnvStep, FNV_START) >>> 0,
  ).sort();
  return shingles.filter((each, at) => each !== shingles[at - 1]);
}

/** MinHash keys; texts that share most shingles share one of them. All 0 without shingles. */
export function bandKeys(shingles: Uint32Array): number[] {
  return Array.from({ length: BANDS }, (_, band) => (shingles.length === 0 ? 0 : bandKey(shingles, band)));
}

function bandKey(shingles: Uint32Array, band: number): number {
  let key = 0;
  for (let row = 0; row < ROWS; row++) {
    const order = mixed(band * ROWS + row + 1);
    let least = 0xffffffff;
    for (const shingle of shingles) least = Math.min(least, mixed(shingle ^ order));
    key = mixed(key ^ least);
  }
  // 0 means that there is none.
  return key || 1;
}

/** Finaliser of MurmurHash3. A product alone gives similar orders and misses one pair in thousands. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Both lists are sorted. */
export function areAlike(a: Uint32Array, b: Uint32Array): boolean {
  let shared = 0;
  for (let [left, right] = [0, 0]; left < a.length && right < b.length; ) {
    const [one = 0, other = 0] = [a[left], b[right]];
    if (one === other) shared += 1;
    if (one <= other) left += 1;
    if (other <= one) right += 1;
  }
  return shared / (a.length + b.length - shared) >= LIKENESS;
}

/** Rows with an equal key other than 0, each group in order. `room` has twice the length of `keys`, and is overwritten. */
export function* equalRows(keys: Uint32Array, room: Uint32Array): Generator<Uint32Array> {
  // Sorted as 64-bit numbers: the key above, the row below.
  const pairs = room.subarray(0, keys.length * 2);
  for (let row = 0; row < keys.length; row++) {
    pairs[row * 2] = row;
    pairs[row * 2 + 1] = keys[row] ?? 0;
  }
  new BigUint64Array(pairs.buffer, pairs.byteOffset, keys.length).sort();
  const keyAt = (at: number) => pairs[at * 2 + 1];
  for (let start = 0, end = 0; start < keys.length; start = end) {
    end = start + 1;
    while (end < keys.length && keyAt(end) === keyAt(start)) end += 1;
    if (end - start > 1 && keyAt(start) !== 0)
      yield Uint32Array.from({ length: end - start }, (_, at) => pairs[(start + at) * 2] ?? 0);
  }
}
