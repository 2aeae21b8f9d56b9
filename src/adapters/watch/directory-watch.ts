/** Watches each directory through the kernel. No tree is polled, and no link or pipe is opened. */

import { type FSWatcher, statSync, watch } from 'node:fs';
import path from 'node:path';
import type { WatchCount, WatchedDirectories } from '../../domain/search/watch/file-watch.ts';

/** Below the kernel's limit, which the operator's editors share. */
const MOST_WATCHED = 4_096;

export function watchDirectories(changed: () => void, most = MOST_WATCHED): WatchedDirectories {
  const watchers = new Map<string, FSWatcher>();
  let wanted: Wanted = new Map();

  function forget(directory: string): void {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  }

  /** Another directory may have taken this path, with other directories below it. */
  function forgetBelow(name: string): void {
    if (!watchers.has(name)) return;
    for (const directory of [...watchers.keys()])
      if (directory === name || directory.startsWith(`${name}${path.sep}`)) forget(directory);
  }

  function noticed(directory: string, event: string, name: string | null): void {
    const isOwnEnd = name === null || name === path.basename(directory);
    if (event === 'rename') {
      if (name !== null) forgetBelow(path.join(directory, name));
      if (isOwnEnd) forgetBelow(directory);
    }
    const names = wanted.get(directory);
    if (isOwnEnd || !names || names === 'all' || names.has(name)) changed();
  }

  function add(directory: string): boolean {
    try {
      // A watch does not keep the process running; waiting for changes does.
      const watcher = watch(directory, { persistent: false }, (event, name) =>
        noticed(directory, event, name),
      );
      watcher.on('error', () => {
        forget(directory);
        changed();
      });
      watchers.set(directory, watcher);
      return true;
    } catch {
      // The directory is gone, closed to this account, or over the kernel's limit.
      return false;
    }
  }

  return {
    set(directories): WatchCount {
      wanted = wantedPlaces(directories);
      for (const directory of [...watchers.keys()]) if (!wanted.has(directory)) forget(directory);
      const fresh = [...wanted.keys()].filter((directory) => !watchers.has(directory));
      const added = fresh.filter((directory) => watchers.size < most && add(directory)).length;
      return { added, unwatched: fresh.length - added };
    },
    close() {
      for (const directory of [...watchers.keys()]) forget(directory);
    },
  };
}

/** The names whose changes count, by directory. */
type Wanted = ReadonlyMap<string, 'all' | ReadonlySet<string>>;

/** The nearest existing directory above a missing one, where the missing one may appear. */
function wantedPlaces(directories: readonly string[]): Wanted {
  const wanted = new Map<string, 'all' | Set<string>>();
  for (const { directory, only } of directories.map(placeOf)) {
    const names = wanted.get(directory);
    if (only === undefined) wanted.set(directory, 'all');
    else if (names === undefined) wanted.set(directory, new Set([only]));
    else if (names !== 'all') names.add(only);
  }
  return wanted;
}

function placeOf(directory: string): { readonly directory: string; readonly only?: string } {
  let name: string | undefined;
  for (let at = directory; ; at = path.dirname(at)) {
    if (isDirectory(at)) return name === undefined ? { directory: at } : { directory: at, only: name };
    name = path.basename(at);
    if (at === path.dirname(at)) return { directory: at, only: name };
  }
}

function isDirectory(directory: string): boolean {
  try {
    return statSync(directory).isDirectory();
  } catch {
    return false;
  }
}
