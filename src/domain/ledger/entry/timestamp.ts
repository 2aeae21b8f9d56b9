/** Timestamps of the ledger: `1767225600Z`, whole seconds since the epoch. ISO-8601 is accepted too. */

import { Fault } from '../../../base/fault.ts';
import { parseIsoTime, secondsOf } from '../../../base/time.ts';
import { DAY_SECONDS, type Seconds } from './entry.ts';

export function formatEpoch(at: Seconds): string {
  return `${at}Z`;
}

export function parseTimestamp(text: string, hint = FORMS): Seconds {
  const epoch = /^(\d{1,15})Z?$/.exec(text)?.[1];
  const seconds = epoch === undefined ? isoSeconds(text) : Number(epoch);
  if (seconds === undefined || seconds < 0) {
    throw new Fault('ledger/invalid', `Invalid epoch timestamp: ${text}`, { hint });
  }
  if (seconds > LAST_SECOND) {
    throw new Fault('ledger/invalid', `Invalid epoch timestamp: ${text}`, {
      hint: 'It lies after the year 9999; are these milliseconds?',
    });
  }
  return seconds;
}

const FORMS = 'Write seconds since 1970 and a Z (1767225600Z), or ISO-8601 (2026-01-01T00:00:00Z).';
const MOMENTS =
  'Write a day (2026-01-31, yesterday), a time ago (12h, 3d, 2w), a time (2026-01-31T12:00:00Z), or seconds since 1970 and a Z.';

/** `--as-of`: a timestamp, the end of a day (`2026-01-31`, `today`, `yesterday`), or a time ago (`90m`, `12h`, `3d`, `2w`). */
export function parseMoment(text: string, now: Seconds): Seconds {
  const given = text.trim().toLowerCase();
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(given) ?? [];
  if (count !== undefined) return Math.max(0, now - Number(count) * (UNIT_SECONDS[unit] ?? 0));
  const today = Math.floor(now / DAY_SECONDS) * DAY_SECONDS;
  if (given === 'today') return today + DAY_SECONDS - 1;
  if (given === 'yesterday') return today - 1;
  const at = parseTimestamp(text, MOMENTS);
  return /^\d{4}-\d\d-\d\d$/.test(given) ? at + DAY_SECONDS - 1 : at;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: DAY_SECONDS, w: 7 * DAY_SECONDS };

/** 9999-12-31T23:59:59Z; a timestamp in milliseconds lies beyond it. */
const LAST_SECOND = 253_402_300_799;

function isoSeconds(text: string): Seconds | undefined {
  const milliseconds = text === text.trim() ? parseIsoTime(text) : undefined;
  return milliseconds === undefined ? undefined : secondsOf(milliseconds);
}
