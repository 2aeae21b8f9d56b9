import { FNV_START, fnv1aOfText, fnvStep } from '../../../base/checksum.ts';
import { wordsOf } from '../../words/terms.ts';

/** Share of common three-word sequences (Jaccard) above which texts are near duplicates. */
const LIKENESS = 0.8;
const BANDS = 12;
const ROWS = 4;

/** Pairs of indexes into `texts`, the smaller one first. */
export function nearDuplicates(texts: readonly string[]): readonly (readonly [number, number])[] {
  const shingles = texts.map(shinglesOf);
  const compared = new Set<number>();
  const pairs: (readonly [number, number])[] = [];
  for (let band = 0; band < BANDS; band++) {
    const latest = new Map<number, number>();
    for (const [at, own] of shingles.entries()) {
      if (own.length === 0) continue;
      const key = bandKey(own, band);
      // Many equal texts are reported as a chain of neighbours, not as all pairs.
      const other = latest.get(key);
      latest.set(key, at);
      if (other === undefined || compared.has(other * texts.length + at)) continue;
      compared.add(other * texts.length + at);
      if (likeness(shingles[other] ?? own, own) >= LIKENESS) pairs.push([other, at]);
    }
  }
  return pairs.sort(([a, b], [c, d]) => a - c || b - d);
}

/** Sorted and unique. */
function shinglesOf(text: string): Uint32Array {
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

/** MinHash key of a band; texts that share most shingles share most of these keys. */
function bandKey(shingles: Uint32Array, band: number): number {
  let key = 0;
  for (let row = 0; row < ROWS; row++) {
    const order = mixed(band * ROWS + row + 1);
    let least = 0xffffffff;
    for (const shingle of shingles) least = Math.min(least, mixed(shingle ^ order));
    key = mixed(key ^ least);
  }
  return key;
}

/** Finaliser of MurmurHash3. A product alone gives similar orders and misses one pair in thousands. */
function mixed(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Both lists are sorted. */
function likeness(a: Uint32Array, b: Uint32Array): number {
  let shared = 0;
  for (let [left, right] = [0, 0]; left < a.length && right < b.length; ) {
    const [one = 0, other = 0] = [a[left], b[right]];
    if (one === other) shared += 1;
    if (one <= other) left += 1;
    if (other <= one) right += 1;
  }
  return shared / (a.length + b.length - shared);
}
