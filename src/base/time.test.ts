import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime, minuteTime, parseIsoTime } from './time.ts';

it('reads back what it writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799_999 }), (instant) => {
      expect(parseIsoTime(isoTime(instant))).toBe(instant);
    }),
  );
});

it('writes minutes as it writes instants', () => {
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (instant) => {
      expect(minuteTime(instant)).toBe(isoTime(instant).slice(0, 16).replace('T', ' '));
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['2026-01-31', 1_769_817_600_000],
  ['2026-01-31T12:00Z', 1_769_860_800_000],
  ['2026-01-31 12:00:00.5', 1_769_860_800_500],
  ['2026-01-31T12:00:00+02:00', 1_769_853_600_000],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['2026-01-31T25:00', undefined],
  ['now', undefined],
  ['', undefined],
])('reads %j', (text, instant) => {
  expect(parseIsoTime(text)).toBe(instant);
});
