/** Short hashes that tell texts apart, by FNV-1a (Fowler, Noll and Vo). They are never proof, and need no crypto. */

/** Sixteen hexadecimal digits, for names of files. */
export function checksum(text: string): string {
  return `${halfChecksum(text, FNV_START)}${halfChecksum(text, FNV_PRIME)}`;
}

export function fnv1a(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let hash = FNV_START;
  for (let at = start; at < end; at++) hash = fnvStep(hash, bytes[at] as number);
  return hash >>> 0;
}

/** The 32-bit hash of a text by its UTF-16 units, which is that of its bytes where it is ASCII. */
export function fnv1aOfText(text: string, start = 0, end = text.length): number {
  let hash = FNV_START;
  for (let at = start; at < end; at++) hash = fnvStep(hash, text.charCodeAt(at));
  return hash >>> 0;
}

/** Takes one more value into a hash; the result is signed until `>>> 0`. */
export function fnvStep(hash: number, value: number): number {
  return Math.imul(hash ^ value, FNV_PRIME);
}

export const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

function halfChecksum(text: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    hash = fnvStep(fnvStep(hash, unit & 0xff), unit >>> 8);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
