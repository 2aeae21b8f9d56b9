import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checksum } from './checksum.ts';

it('is sixteen digits, the same for the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(checksum(text)).toMatch(/^[0-9a-f]{16}$/);
      expect(checksum(text)).toBe(checksum(text));
    }),
  );
});

it('tells paths apart that differ in one place', () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `/home/ada/work/garden-${at}/茶`);
  expect(new Set(paths.map(checksum)).size).toBe(paths.length);
});
