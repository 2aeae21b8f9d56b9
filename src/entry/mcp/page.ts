import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { compareCodePoints } from '../../base/text.ts';

const PAGE_SIZE = 100;

export interface Page<Item> {
  readonly items: Item[];
  readonly nextCursor?: string;
}

/** Sorted by key, which the cursor holds: items added or removed between two pages cause no repetition or gap. */
export function pageOf<Item>(
  all: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
): Page<Item> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const sorted = all.toSorted((a, b) => compareCodePoints(keyOf(a), keyOf(b)));
  const rest =
    after === undefined ? sorted : sorted.filter((item) => compareCodePoints(keyOf(item), after) > 0);
  const items = rest.slice(0, PAGE_SIZE);
  const last = items.at(-1);
  if (last === undefined || rest.length <= PAGE_SIZE) return { items };
  return { items, nextCursor: Buffer.from(`${MARK}${keyOf(last)}`).toString('base64url') };
}

const MARK = 'after:';

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  if (text.startsWith(MARK)) return text.slice(MARK.length);
  throw unknownCursor();
}

/** For a list that fits on one page, so that no cursor was ever given. */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined) throw unknownCursor();
}

function unknownCursor(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not one that this server gave.');
}
