/** Caches listings: reading the times of directories costs far less than reading their entries. */

import { type BigIntStats, lstatSync } from 'node:fs';
import type { Listing } from '../../domain/knowledge-base/subject-files.ts';

export interface WalkObserver {
  /** Called before the entries of a directory are read. */
  entering(realDirectory: string): void;
  /** Called when the walk reads something whose change does not show in the times of its directories. */
  untracked(): void;
}

/** Walks again only if the directories below the real path `root` have changed. */
export type CachedListings = (root: string, walk: (observer: WalkObserver) => Listing) => Listing;

/** `now` is the time by the clock of the file system, in milliseconds. */
export function cachedListings(now: () => number): CachedListings {
  const cache = new Map<string, { listing: Listing; stamps: readonly Stamp[] }>();
  return (root, walk) => {
    const known = cache.get(root);
    if (known?.stamps.every(isAsStamped)) return known.listing;
    cache.delete(root);
    const { listing, stamps } = stamped(now(), walk);
    if (stamps) cache.set(root, { listing, stamps });
    return listing;
  };
}

interface Stamp {
  readonly directory: string;
  readonly stats: Pick<BigIntStats, 'dev' | 'ino' | 'ctimeNs'>;
}

/** Whether every later change is sure to set another time. */
export function isSettled({ ctimeMs }: BigIntStats, nowMs: number): boolean {
  return Number(ctimeMs) + SETTLED_MS < nowMs;
}

/** On the coarsest file systems, two changes within this time may set the same time. */
const SETTLED_MS = 2_500;

/** Without stamps where a later change could go unnoticed. */
function stamped(
  startedMs: number,
  walk: (observer: WalkObserver) => Listing,
): { readonly listing: Listing; readonly stamps?: readonly Stamp[] } {
  const stamps: Stamp[] = [];
  let isTracked = true;
  const listing = walk({
    entering(directory) {
      const stats = statsOf(directory);
      if (!stats || !isSettled(stats, startedMs)) isTracked = false;
      else {
        const { dev, ino, ctimeNs } = stats;
        stamps.push({ directory, stats: { dev, ino, ctimeNs } });
      }
    },
    untracked() {
      isTracked = false;
    },
  });
  return isTracked ? { listing, stamps } : { listing };
}

function isAsStamped({ directory, stats }: Stamp): boolean {
  const found = statsOf(directory);
  return (
    found !== undefined &&
    found.ino === stats.ino &&
    found.dev === stats.dev &&
    // No program can set this time, unlike the others.
    found.ctimeNs === stats.ctimeNs
  );
}

/** Does not follow a link; undefined when the path cannot be read. */
export function statsOf(directory: string): BigIntStats | undefined {
  try {
    return lstatSync(directory, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
