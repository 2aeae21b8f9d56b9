/** Texts that say nearly the same, found without comparing each with each. */

/** Shared three-word sequences, of all that either has. */
const LIKENESS = 0.8;
const BANDS = 16;
const ROWS = 4;

/** Pairs of positions in `texts`, the earlier one first. */
export function nearDuplicates(texts: readonly string[]): readonly (readonly [number, number])[] {
  const shingles = texts.map(shinglesOf);
  const buckets = new Map<string, number[]>();
  for (const [at, own] of shingles.entries()) {
    if (own.size === 0) continue;
    for (const key of bandsOf(own)) {
      const bucket = buckets.get(key) ?? [];
      bucket.push(at);
      buckets.set(key, bucket);
    }
  }
  const pairs = new Map<string, readonly [number, number]>();
  for (const bucket of buckets.values()) {
    // One with its neighbours: a crowd of equals is told by a chain, not by every pair of it.
    for (let at = 1; at < bucket.length; at++) {
      const [left = 0, right = 0] = [bucket[at - 1], bucket[at]];
      const isAlike = likeness(shingles[left] ?? new Set(), shingles[right] ?? new Set()) >= LIKENESS;
      if (isAlike) pairs.set(`${left} ${right}`, [left, right]);
    }
  }
  return [...pairs.values()].sort(([a, b], [c, d]) => a - c || b - d);
}

function shinglesOf(text: string): Set<number> {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < 3) return new Set(words.length > 0 ? [hash(words.join(' '), 0)] : []);
  return new Set(words.slice(2).map((word, at) => hash(`${words[at]} ${words[at + 1]} ${word}`, 0)));
}

function bandsOf(shingles: ReadonlySet<number>): string[] {
  return Array.from({ length: BANDS }, (_, band) => {
    const least = Array.from({ length: ROWS }, (__, row) => smallest(shingles, band * ROWS + row + 1));
    return [band, ...least].join(' ');
  });
}

function smallest(shingles: ReadonlySet<number>, seed: number): number {
  let least = 0xffffffff;
  for (const shingle of shingles) {
    const mixed = (Math.imul(shingle ^ (seed * 0x9e3779b1), 0x85ebca6b) ^ (shingle >>> 13)) >>> 0;
    if (mixed < least) least = mixed;
  }
  return least;
}

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let value = 0x811c9dc5 ^ seed;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

function likeness(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let shared = 0;
  for (const each of a) if (b.has(each)) shared += 1;
  return shared / (a.size + b.size - shared);
}
