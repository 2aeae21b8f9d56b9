import { expect, it } from 'vitest';
import { copiesToRemove, copyName, parseCopyName } from './kept-copies.ts';

const DAY = 24 * 60 * 60 * 1000;
const START = 20_000 * 7 * DAY;

it('names a copy by its time and occasion, and reads that back', () => {
  const name = copyName(1_800_000_000_123, 'import');
  expect(name).toBe('2027-01-15T080000.123Z-import.ken.tar.gz');
  expect(parseCopyName(name)).toEqual({ name, madeAt: 1_800_000_000_123, occasion: 'import' });
  for (const other of [
    'notes.txt',
    'x-import.ken.tar.gz',
    `${name}.tmp`,
    '2027-13-45T080000.123Z-import.ken.tar.gz',
  ])
    expect(parseCopyName(other), other).toBeUndefined();
});

it('keeps the last ones, one of each week, and all that were asked for', () => {
  const copies = Array.from({ length: 30 }, (_, day) => ({
    name: `${day}`,
    madeAt: START + day * DAY,
    occasion: day === 1 ? 'backup' : 'import',
  }));
  const removed = new Set(copiesToRemove(copies, 5).map(({ name }) => Number(name)));
  const kept = copies.map((_, day) => day).filter((day) => !removed.has(day));
  expect(kept).toEqual([1, 6, 13, 20, 25, 26, 27, 28, 29]);
});
