/** Symbolic links that are moved. A relative link means another place in another directory, perhaps one outside. */

import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { within } from '../../paths/anchor.ts';
import { FileError } from '../wire/error.ts';
import type { Directory, Place } from './directory.ts';

/** A larger tree cannot be moved as a whole; programs then copy it. */
const MOST_ENTRIES = 20_000;

/** Throws for a relative link, and for a tree that holds one which leads out of the tree. */
export function requireNoMovedLinks({ directory, name }: Pick<Place, 'directory' | 'name'>): void {
  within(directory.anchor, name, (root) => {
    const found = lstatSync(root, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() && !path.isAbsolute(readlinkSync(root))) throw new FileError('not-permitted');
    if (found?.isDirectory()) requireClosedTree(root);
  });
}

function requireClosedTree(root: string): void {
  const waiting = [''];
  let count = 0;
  for (let inside = waiting.pop(); inside !== undefined; inside = waiting.pop()) {
    for (const entry of readdirSync(path.join(root, inside), { withFileTypes: true })) {
      count += 1;
      if (count > MOST_ENTRIES) throw new FileError('cross-device');
      const at = path.join(inside, entry.name);
      if (entry.isDirectory()) waiting.push(at);
      else if (entry.isSymbolicLink() && leadsOut(inside, readlinkSync(path.join(root, at)))) {
        throw new FileError('not-permitted');
      }
    }
  }
}

function leadsOut(inside: string, target: string): boolean {
  return !path.isAbsolute(target) && path.join(inside, target).split('/')[0] === '..';
}

export function isSameDirectory(one: Directory, two: Directory): boolean {
  const [a, b] = [one, two].map(({ anchor }) => within(anchor, '.', (at) => lstatSync(at, { bigint: true })));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}
