import { counted } from '../../../base/text.ts';

const UNITS = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/** `3 hours ago`, `in 2 days`, `just now`: whole units, rounded down. */
export function elapsed(time: number, now: number): string {
  const distance = Math.abs(now - time);
  const found = UNITS.find(({ ms }) => distance >= ms);
  if (!found) return now >= time ? 'just now' : 'in less than a minute';
  const count = Math.floor(distance / found.ms);
  const words = counted(count, found.unit);
  return now >= time ? `${words} ago` : `in ${words}`;
}
