/** Marks the chunks that may be hits. Filters apply before the cut: a narrow one finds as well as a wide one. */

import type { EncodedList, Group, Snapshot } from '../index/index-store.ts';
import { Postings } from '../postings/posting-list.ts';
import type { IndexView } from './index-view.ts';

export interface Restrictions {
  /** Absent: every group. */
  readonly isWantedGroup: ((group: Group) => boolean) | undefined;
  /** Chunks must have every one of these. */
  readonly required: readonly string[];
  /** Chunks must have none of these. */
  readonly excluded: readonly string[];
}

/** By chunk number: 1 where a hit may be. */
export function allowedChunks(
  view: IndexView,
  { chosen }: Pick<Snapshot, 'chosen'>,
  lists: ReadonlyMap<string, readonly EncodedList[]>,
  { isWantedGroup, required, excluded }: Restrictions,
): Uint8Array {
  const groups = [...view.groups.values()];
  const wanted = isWantedGroup ? groups.filter(isWantedGroup) : groups;
  const takesAllGroups = wanted.length === groups.length;
  if (takesAllGroups && !chosen && required.length === 0 && excluded.length === 0) return view.present;
  const allowed = view.present.slice();
  if (!takesAllGroups) keepGroups(allowed, view, new Set(wanted.map(({ number }) => number)));
  if (chosen) keepFlagged(allowed, flagged(allowed.length, chosen));
  for (const term of required) keepFlagged(allowed, chunksWith(allowed.length, lists.get(term)));
  for (const term of excluded) {
    const unwanted = chunksWith(allowed.length, lists.get(term));
    for (let chunk = 0; chunk < allowed.length; chunk++) if (unwanted[chunk] === 1) allowed[chunk] = 0;
  }
  return allowed;
}

function keepGroups(allowed: Uint8Array, { groupNumbers }: IndexView, wanted: ReadonlySet<number>): void {
  for (let chunk = 0; chunk < allowed.length; chunk++) {
    if (allowed[chunk] === 1 && !wanted.has(groupNumbers[chunk] as number)) allowed[chunk] = 0;
  }
}

function flagged(length: number, ranges: Int32Array): Uint8Array {
  const flags = new Uint8Array(length);
  for (let at = 0; at < ranges.length; at += 2) {
    const first = ranges[at] as number;
    flags.fill(1, first, first + (ranges[at + 1] as number));
  }
  return flags;
}

function chunksWith(length: number, lists: readonly EncodedList[] = []): Uint8Array {
  const postings = new Postings();
  for (const { base, bytes } of lists) postings.addEncoded(bytes, base);
  const flags = new Uint8Array(length);
  for (let at = 0; at < postings.count; at++) flags[postings.chunks[at] as number] = 1;
  return flags;
}

function keepFlagged(allowed: Uint8Array, flags: Uint8Array): void {
  for (let chunk = 0; chunk < allowed.length; chunk++) if (flags[chunk] !== 1) allowed[chunk] = 0;
}
