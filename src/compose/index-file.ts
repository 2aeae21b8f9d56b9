import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { systemHasher } from '../adapters/system/hasher.ts';
import type { Directories } from '../base/places.ts';

/** Where what is derived from `root` is kept: in it, or in the cache where it may only be read. */
export function indexFile(root: string, { cache }: Directories, kind: 'references' | 'workspace'): string {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    if (existsSync(root)) return path.join(cache, `${kind}-${systemHasher.sha256(root).slice(0, 16)}.db`);
  }
  return path.join(root, 'index.db');
}
