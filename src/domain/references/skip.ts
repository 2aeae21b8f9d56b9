/** Why a file of a source is left out of a topic. */

export const SKIP_REASONS = [
  'binary',
  'generated',
  'lfs_pointer',
  'lock_file',
  'minified',
  'submodule',
  'symlink',
  'too_large',
  'unreadable',
  'unusable_name',
  'vendored',
] as const;

export type SkipReason = (typeof SKIP_REASONS)[number];

/** How many files each reason kept out; reasons without any are absent. */
export type SkipCounts = Readonly<Partial<Record<SkipReason, number>>>;

export function countSkips(reasons: Iterable<SkipReason>): SkipCounts {
  const counts = new Map<SkipReason, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return ordered(counts);
}

export function addSkips(...all: readonly SkipCounts[]): SkipCounts {
  const counts = new Map<SkipReason, number>();
  for (const reason of SKIP_REASONS) {
    const sum = all.reduce((total, each) => total + (each[reason] ?? 0), 0);
    if (sum > 0) counts.set(reason, sum);
  }
  return ordered(counts);
}

function ordered(counts: ReadonlyMap<SkipReason, number>): SkipCounts {
  return Object.fromEntries(
    SKIP_REASONS.flatMap((reason) => {
      const count = counts.get(reason);
      return count === undefined ? [] : [[reason, count]];
    }),
  );
}
