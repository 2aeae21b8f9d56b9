import { counted } from './text.ts';

/** The only source of the current time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export function fixedClock(now: number): Clock {
  return { now: () => now };
}

/** Whole seconds since the Unix epoch. */
export function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

/** `2026-01-31T12:00:00.000Z` */
export function isoTime(milliseconds: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: formatting a given instant reads no clock.
  return new Date(milliseconds).toISOString();
}

/** Length of `minuteTime` for years with four digits. */
export const MINUTE_LENGTH = 'YYYY-MM-DD HH:MM'.length;

/** `2026-01-31 12:00`, for lists. Many times faster than a Date. */
export function minuteTime(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const day = Math.floor(minutes / 1440);
  const minute = minutes - day * 1440;
  if (lastDay.day !== day) lastDay = { day, text: dayText(day) };
  return `${lastDay.text} ${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`;
}

/** Neighbours in a list are often of the same day. */
let lastDay = { day: Number.NaN, text: '' };

/** The date of a day since the epoch. Years are counted from March, so that the odd day of a leap year comes last. */
function dayText(day: number): string {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const leapDays = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const yearOfEra = Math.floor((ofEra - leapDays) / 365);
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153);
  const date = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(date)}`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Parses an ISO-8601 date or time to milliseconds since the epoch; UTC without a zone. Undefined for other texts. */
export function parseIsoTime(text: string): number | undefined {
  const match = ISO.exec(text.trim());
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const fraction = Number(`0.${match[7] ?? '0'}`);
  // biome-ignore lint/style/noRestrictedGlobals: arithmetic on a given instant reads no clock.
  const { UTC } = Date;
  const instant =
    UTC(year, month - 1, day, hour || 0, minute || 0, second || 0) + Math.floor(fraction * 1000);
  const isRealDate = isoTime(UTC(year, month - 1, day)).startsWith(`${match[1]}-${match[2]}-${match[3]}`);
  return isRealDate ? instant - zoneOffset(match[8]) : undefined;
}

function zoneOffset(zone: string | undefined): number {
  if (!zone || zone.toUpperCase() === 'Z') return 0;
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

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
