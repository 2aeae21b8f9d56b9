/** Names and retention of the copies that ken makes by itself. */

import { isoTime, parseIsoTime } from '../../base/time.ts';

const SUFFIX = '.ken.tar.gz';

export interface KeptCopy {
  readonly name: string;
  readonly madeAt: number;
  /** `import`, `restore`; `backup` for one that was asked for. */
  readonly occasion: string;
}

/** `2026-01-31T120000.000Z-import.ken.tar.gz`: sorts by time, and is a name on every file system. */
export function copyName(now: number, occasion: string): string {
  return `${isoTime(now).replaceAll(':', '')}-${occasion}${SUFFIX}`;
}

const NAME = /^(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d\.\d{3}Z)-([a-z]+)\.ken\.tar\.gz$/;

/** Undefined for a name that `copyName` does not make. */
export function parseCopyName(name: string): KeptCopy | undefined {
  const [, day = '', hour = '', minute = '', second = '', occasion = ''] = NAME.exec(name) ?? [];
  const madeAt = parseIsoTime(`${day}${hour}:${minute}:${second}`);
  return madeAt === undefined ? undefined : { name, madeAt, occasion };
}

/** Copies to remove: all but the last `keep` and the last of each week. Those that were asked for stay. */
export function copiesToRemove(copies: readonly KeptCopy[], keep: number): readonly KeptCopy[] {
  const newestFirst = copies
    .filter(({ occasion }) => occasion !== 'backup')
    .sort((a, b) => b.madeAt - a.madeAt);
  const weeks = new Set<number>();
  return newestFirst.filter(({ madeAt }, position) => {
    const week = Math.floor(madeAt / WEEK_MS);
    const isLastOfWeek = !weeks.has(week);
    weeks.add(week);
    return position >= keep && !isLastOfWeek;
  });
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
