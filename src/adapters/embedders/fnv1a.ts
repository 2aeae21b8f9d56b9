/** The 32-bit hash of Fowler, Noll and Vo, of the bytes from `start` to `end`. */
export function fnv1a(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash >>> 0;
}
