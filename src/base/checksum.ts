/** Sixteen hexadecimal digits that tell texts apart: for names of files, never for proof. Needs no crypto. */
export function checksum(text: string): string {
  return `${fnv(text, 0x811c9dc5)}${fnv(text, 0x01000193)}`;
}

/** FNV-1a over UTF-16 units. */
function fnv(text: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, '0');
}
