/** Listings of directories that are as they were: to ask for their times costs far less than to read them again. */

import { type BigIntStats, lstatSync } from 'node:fs';
import type { Listing } from '../../domain/knowledge-base/subject-files.ts';

/** What a walk tells of itself. */
export interface WalkNotes {
  /** Before its entries are read. */
  entering(realDirectory: string): void;
  /** Something was looked at whose change no directory of the walk would show. */
  cannotTell(): void;
}

/** The same listing as long as the directories that were walked for it, from the real path `root` on, are the same. */
export type KeptListings = (root: string, walk: (notes: WalkNotes) => Listing) => Listing;

/** `now` is the time by the clock of the file system, in milliseconds. */
export function keptListings(now: () => number): KeptListings {
  const kept = new Map<string, Kept>();
  const walkedBefore = new Set<string>();
  return (root, walk) => {
    const known = kept.get(root);
    if (known?.stamps.every(isAsStamped)) return known.listing;
    kept.delete(root);
    // Most processes walk a topic once.
    if (!walkedBefore.has(root)) {
      walkedBefore.add(root);
      return walk(NO_NOTES);
    }
    const { listing, stamps } = stamped(now(), walk);
    if (stamps) kept.set(root, { listing, stamps });
    return listing;
  };
}

interface Kept {
  readonly listing: Listing;
  readonly stamps: readonly Stamp[];
}

interface Stamp {
  readonly directory: string;
  readonly stats: BigIntStats;
}

const NO_NOTES: WalkNotes = { entering() {}, cannotTell() {} };

/** Whether a change from now on leaves another time behind. */
export function isSettled({ ctimeMs }: BigIntStats, nowMs: number): boolean {
  return Number(ctimeMs) + SETTLED_MS < nowMs;
}

/** Two changes within this time may leave the same time behind, on the coarsest of file systems. */
const SETTLED_MS = 2_500;

/** No stamps where a later change could go unnoticed. */
function stamped(
  startedMs: number,
  walk: (notes: WalkNotes) => Listing,
): { readonly listing: Listing; readonly stamps?: readonly Stamp[] } {
  const stamps: Stamp[] = [];
  let canTell = true;
  const listing = walk({
    entering(directory) {
      const stats = statsOf(directory);
      if (stats && isSettled(stats, startedMs)) stamps.push({ directory, stats });
      else canTell = false;
    },
    cannotTell() {
      canTell = false;
    },
  });
  return canTell ? { listing, stamps } : { listing };
}

function isAsStamped({ directory, stats }: Stamp): boolean {
  const found = statsOf(directory);
  return (
    found !== undefined &&
    found.ino === stats.ino &&
    found.dev === stats.dev &&
    // Unlike the other times, nobody can set this one.
    found.ctimeNs === stats.ctimeNs
  );
}

/** Of a link, its own; nothing when it cannot be read. */
export function statsOf(directory: string): BigIntStats | undefined {
  try {
    return lstatSync(directory, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
