/** Finds the row of a piece of a word in the bytes of the model's files. */

import { fnv1a } from '../../base/checksum.ts';
import { readShipped } from '../../base/package-files.ts';

export interface Vocabulary {
  /** Undefined for an unknown piece. `piece` is UTF-8. */
  rowOf(piece: Uint8Array): number | undefined;
}

/** `index` was made by `vocabularyIndex`, since making it at each start would cost more than a question. */
export function openVocabulary(textFile: URL, indexFile: URL): Vocabulary {
  const text: Uint8Array = readShipped(textFile);
  // A copy begins at an address that numbers of four bytes can have.
  const index = Uint8Array.from(readShipped(indexFile));
  const numbers = new Uint32Array(index.buffer, index.byteOffset, index.byteLength / 4);
  const slots = numbers.subarray(0, SLOTS);
  const starts = numbers.subarray(SLOTS);
  return {
    rowOf(piece) {
      for (let slot = fnv1a(piece) % SLOTS; ; slot = (slot + 1) % SLOTS) {
        const row = (slots[slot] ?? 0) - 1;
        if (row < 0) return undefined;
        if (isAt(text, starts[row] ?? 0, (starts[row + 1] ?? 0) - 1, piece)) return row;
      }
    },
  };
}

const SLOTS = 1 << 16;

function isAt(text: Uint8Array, start: number, end: number, piece: Uint8Array): boolean {
  if (end - start !== piece.length) return false;
  for (let at = 0; at < piece.length; at++) if (text[start + at] !== piece[at]) return false;
  return true;
}

/** Hash slots with row numbers + 1, then the starts of lines, for a vocabulary of one piece a line. */
export function vocabularyIndex(text: Uint8Array): Uint8Array {
  const slots = new Uint32Array(SLOTS);
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== LINE_FEED) continue;
    const start = starts.at(-1) ?? 0;
    let slot = fnv1a(text.subarray(start, at)) % SLOTS;
    while (slots[slot] !== 0) slot = (slot + 1) % SLOTS;
    slots[slot] = starts.length;
    starts.push(at + 1);
  }
  const index = new Uint32Array(SLOTS + starts.length);
  index.set(slots);
  index.set(starts, SLOTS);
  return new Uint8Array(index.buffer);
}

const LINE_FEED = 0x0a;
