/** A directory that is swapped for a link just before a name in it is used, or while it is. */

import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { type Anchor, type Anchoring, openWithin, within } from './anchor.ts';

function contested(anchoring: Anchoring) {
  const base = temporaryDirectory();
  const place = path.join(base, 'place');
  for (const name of ['place', 'outside']) {
    mkdirSync(path.join(base, name));
    writeFileSync(path.join(base, name, 'file.txt'), name);
  }
  const fd = openSync(place, 'r');
  onTestFinished(() => closeSync(fd));
  const anchor: Anchor = { anchoring, fd, path: place };
  const swap = () => {
    renameSync(place, path.join(base, 'moved'));
    symlinkSync('outside', place);
  };
  return { anchor, swap };
}

const GONE = expect.objectContaining({ code: 'ENOENT' });
const read = (at: string) => readFileSync(at, 'utf8');

it.each(['descriptor', 'path'] as const)('reads in the directory that it holds: by %s', (anchoring) => {
  const { anchor } = contested(anchoring);
  expect(within(anchor, 'file.txt', read)).toBe('place');
});

it('goes on in the directory that it holds, by descriptor, wherever that is now', () => {
  const { anchor, swap } = contested('descriptor');
  swap();
  expect(within(anchor, 'file.txt', read)).toBe('place');
});

it('uses nothing in a place that was swapped, by path', () => {
  const { anchor, swap } = contested('path');
  swap();
  const used: string[] = [];
  expect(() => within(anchor, 'file.txt', (at) => used.push(at))).toThrow(GONE);
  expect(used).toEqual([]);
});

it('hands out nothing of a place that was swapped meanwhile, by path', () => {
  const { anchor, swap } = contested('path');
  let seen = '';
  const reading = (at: string) => {
    swap();
    seen = read(at);
    return seen;
  };
  expect(() => within(anchor, 'file.txt', reading)).toThrow(GONE);
  expect(seen).toBe('outside');
});

it('opens no link in the place of a file', () => {
  const { anchor } = contested('descriptor');
  symlinkSync('file.txt', path.join(anchor.path, 'link'));
  expect(() => openWithin(anchor, 'link', 0)).toThrow('ELOOP');
  expect(() => openWithin({ ...anchor, anchoring: 'path' }, 'link', 0)).toThrow('ELOOP');
});

it.each(['descriptor', 'path'] as const)('opens no link where no flag refuses them, by %s', (anchoring) => {
  const { anchor } = contested(anchoring);
  symlinkSync('../outside/file.txt', path.join(anchor.path, 'link.txt'));
  const open = (name: string) => openWithin(anchor, name, 0, 0, 0);
  expect(() => open('link.txt')).toThrow(expect.objectContaining({ code: 'ELOOP' }));
  const fd = open('file.txt');
  onTestFinished(() => closeSync(fd));
  expect(readFileSync(fd, 'utf8')).toBe('place');
});
