/** Compares lines with what was indexed, which is what a citation was made from. */

import { Fault } from '../../../base/fault.ts';
import { type LineRange, linesOf } from '../../../base/line-range.ts';
import type { StoredChunk } from '../index/index-item.ts';
import { type IndexStore, type ItemKey, NOTHING_KNOWN } from '../index/index-store.ts';

/** True when a line of the range was another when the item was indexed. What the index does not know is no reason. */
export async function wereOtherLines(
  store: IndexStore,
  key: ItemKey,
  { lines, range }: { readonly lines: readonly string[]; readonly range: LineRange },
): Promise<boolean> {
  const chunks = await chunksOf(store, key);
  return chunks.some((chunk) => differs(chunk, lines, range));
}

async function chunksOf(store: IndexStore, key: ItemKey): Promise<readonly StoredChunk[]> {
  try {
    const { chosen = new Int32Array() } = await store.snapshot({
      known: NOTHING_KNOWN,
      terms: [],
      filter: { ids: [key] },
    });
    const [first = 0, count = 0] = chosen;
    return await store.chunks(Array.from({ length: count }, (_, at) => first + at));
  } catch (error) {
    // An index that cannot be read knows nothing.
    if (error instanceof Fault) return [];
    throw error;
  }
}

function differs(
  { body, firstLine, lastLine }: StoredChunk,
  lines: readonly string[],
  range: LineRange,
): boolean {
  const seen = linesOf(body);
  return seen.some((text, at) => {
    const number = firstLine + at;
    if (number < range.first || number > range.last) return false;
    const now = lines[number - 1];
    // The first and the last line of a chunk may be parts of lines.
    const isEdge = number === firstLine || number === lastLine;
    return now === undefined || (isEdge ? !now.includes(text) : now !== text);
  });
}
