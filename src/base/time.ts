/** Instants as texts. Nothing here knows what time it is. */

/** `2026-01-31T12:00:00.000Z` */
export function isoTime(milliseconds: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: formatting a given instant reads no clock.
  return new Date(milliseconds).toISOString();
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/** Milliseconds since the epoch of an ISO-8601 date or time, in UTC where no zone is given; undefined for others. */
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
