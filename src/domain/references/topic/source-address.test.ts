import { expect, it } from 'vitest';
import { sourceAddress } from './source-address.ts';
import type { GitSource } from './topic.ts';

const file = { path: 'docs/a b.md', commit: 'c0ffee' };

function addressFor(url: string, lines?: { first: number; last: number }): string | undefined {
  const source: GitSource = { type: 'git', url, paths: [], unknown: {} };
  return sourceAddress({ sources: [source] }, { ...file, source: url }, lines);
}

it('leads to the same lines at the hosts that it knows', () => {
  const lines = { first: 3, last: 7 };
  expect(
    [
      'https://github.com/o/r',
      'git@gitlab.com:o/group/r.git',
      'ssh://git@codeberg.org/o/r',
      'https://bitbucket.org/o/r',
    ].map((url) => addressFor(url, lines)),
  ).toEqual([
    'https://github.com/o/r/blob/c0ffee/docs/a%20b.md#L3-L7',
    'https://gitlab.com/o/group/r/-/blob/c0ffee/docs/a%20b.md#L3-7',
    'https://codeberg.org/o/r/src/commit/c0ffee/docs/a%20b.md#L3-L7',
    'https://bitbucket.org/o/r/src/c0ffee/docs/a%20b.md#lines-3:7',
  ]);
  expect(addressFor('https://github.com/o/r.git')).toBe('https://github.com/o/r/blob/c0ffee/docs/a%20b.md');
});

it('names no page for other hosts, paths of this machine and forged hosts', () => {
  const others = [
    '/srv/repo',
    'https://git.example/o/r',
    'https://github.com@evil.example/o/r',
    'https://github.com/',
  ];
  expect(others.map((url) => addressFor(url))).toEqual(others.map(() => undefined));
});
