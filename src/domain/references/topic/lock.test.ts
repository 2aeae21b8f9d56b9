import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCodePoints } from '../../../base/text.ts';
import { fileNameProblem } from '../sources/file-name.ts';
import { SKIP_REASONS } from '../sources/skip.ts';
import { formatLock, type LockedFile, parseLock, type SkippedFile, versionOf } from './lock.ts';

const hex = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: 15 }), { minLength: length, maxLength: length })
    .map((digits) => digits.map((digit) => digit.toString(16)).join(''));
const header = fc.stringMatching(/^[ -~]{1,40}$/);
const path = fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !fileNameProblem(name));
const source = fc.string({ unit: 'grapheme' });
const file: fc.Arbitrary<LockedFile> = fc.record(
  {
    path,
    source,
    commit: hex(40),
    oid: hex(64),
    url: header,
    etag: header,
    lastModified: header,
    sha256: hex(64),
    bytes: fc.nat(),
    fetchedAt: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  },
  { requiredKeys: ['path', 'source', 'sha256', 'bytes', 'fetchedAt'] },
);
const skip: fc.Arbitrary<SkippedFile> = fc.record({
  path,
  source,
  oid: hex(40),
  bytes: fc.nat(),
  reason: fc.constantFrom(...SKIP_REASONS),
});
const byPath = (lines: readonly { readonly path: string }[]) =>
  new Map(lines.map((each) => [each.path, each]));

it('reads back what it wrote, ordered by path', () => {
  const selector = ({ path: name }: { path: string }) => name;
  const lists = fc.tuple(fc.uniqueArray(file, { selector }), fc.uniqueArray(skip, { selector }));
  fc.assert(
    fc.property(lists, ([files, skipped]) => {
      const text = formatLock({ files, skipped });
      const read = parseLock(text);
      expect(read.broken).toBe(0);
      expect(byPath(read.files)).toEqual(byPath(files));
      expect(byPath(read.skipped)).toEqual(byPath(skipped));
      const paths = text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line).path));
      expect(paths).toEqual(paths.toSorted(compareCodePoints));
    }),
  );
});

const GOOD = { path: 'a', source: 's', sha256: 'a'.repeat(64), bytes: 1, fetched_at: '2026-01-01T00:00:00Z' };

it.each([
  ['not JSON', '{"path"'],
  ['a list', '[]'],
  ['a name that leads out', JSON.stringify({ ...GOOD, path: '../../etc/passwd' })],
  ['an absolute name', JSON.stringify({ ...GOOD, path: '/etc/passwd' })],
  ['no digest', JSON.stringify({ ...GOOD, sha256: 'x' })],
  ['a negative size', JSON.stringify({ ...GOOD, bytes: -1 })],
  [
    'a reason that is none',
    JSON.stringify({ path: 'a', source: 's', bytes: 1, oid: 'c0ffee1', skipped: 'dull' }),
  ],
  ['a skip of nothing', JSON.stringify({ path: 'a', source: 's', bytes: 1, skipped: 'binary' })],
  ['no time', JSON.stringify({ ...GOOD, fetched_at: 'now' })],
])('counts a line as broken: %s', (_, line) => {
  expect(parseLock(`${line}\n${JSON.stringify({ ...GOOD, path: 'b' })}\n`)).toMatchObject({
    broken: 1,
    files: [{ path: 'b' }],
  });
});

it('drops validators that would be more than one header, and commits that are none', () => {
  const line = { ...GOOD, etag: 'a\r\nHost: evil', last_modified: 'é', commit: '--upload-pack=x', oid: 'zz' };
  expect(parseLock(JSON.stringify(line)).files).toEqual([
    { path: 'a', source: 's', sha256: 'a'.repeat(64), bytes: 1, fetchedAt: Date.UTC(2026, 0, 1) },
  ]);
});

it('cites a commit where there is one', () => {
  expect(versionOf({ commit: 'c0ffee1', sha256: 'abc' })).toBe('c0ffee1');
  expect(versionOf({ sha256: 'b'.repeat(64) })).toBe('b'.repeat(12));
});
