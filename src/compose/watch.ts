import { mkdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { writeAtomically } from '../adapters/files/atomic-write.ts';
import { sqliteWriterLocks } from '../adapters/sqlite/seam/writer-locks.ts';
import { systemClock } from '../adapters/system/primitives.ts';
import { watchDirectories } from '../adapters/watch/directory-watch.ts';
import type { App } from '../app.ts';
import { Fault } from '../base/fault.ts';
import type { HeldLock } from '../domain/conversations/writer-lock.ts';
import type { RefreshTurns } from '../domain/references/lifecycle/refresh-turns.ts';
import type { FileWatch } from '../domain/search/watch/file-watch.ts';
import { ownDirectory, type Surroundings, workspaceName } from './part.ts';
import { libraryRoot } from './references.ts';

/** Most topics whose descriptions are watched for changes; fetches and deletions are noticed for all topics. */
const MOST_TOPICS = 500;

export function openFileWatch(surroundings: Surroundings, app: Pick<App, 'config'>): FileWatch {
  const { directories, workspace } = surroundings;
  const library = libraryRoot(surroundings, app.config);
  const place = workspace ? workspaceName(workspace) : 'no-workspace';
  return {
    async places() {
      const entries = await readdir(library, { withFileTypes: true }).catch(() => []);
      const topics = entries.filter((entry) => entry.isDirectory()).slice(0, MOST_TOPICS);
      return [
        library,
        ...topics.map(({ name }) => path.join(library, name)),
        ...(workspace
          ? [
              workspace.home,
              path.join(workspace.home, 'knowledge'),
              path.join(workspace.home, 'conversations'),
              path.join(ownDirectory(directories, workspace), 'conversations'),
            ]
          : []),
      ];
    },
    open: async (changed) => watchDirectories(changed),
    lead: () => lockUnlessTaken(path.join(directories.state, 'watch', place)),
  };
}

interface RefreshPlace {
  readonly directories: Pick<Surroundings['directories'], 'state'>;
}

/** The last turn is the modification time of a file. A clock that was set back does not delay the next turn. */
export function openRefreshTurns({ directories }: RefreshPlace): RefreshTurns {
  const directory = path.join(directories.state, 'refresh');
  const last = path.join(directory, 'last');
  return {
    async take(periodMs) {
      const lock = await lockUnlessTaken(directory);
      if (!lock) return undefined;
      const began = statSync(last, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      // The file system has fractions of a millisecond, the clock has none.
      const age = systemClock.now() - Math.floor(began);
      if (age >= 0 && age < periodMs) {
        await lock.release();
        return undefined;
      }
      await writeAtomically(last, '', { mode: 0o600 });
      return lock;
    },
  };
}

async function lockUnlessTaken(directory: string): Promise<HeldLock | undefined> {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return await sqliteWriterLocks(systemClock).take(directory);
  } catch (error) {
    if (error instanceof Fault || isSystemError(error)) return undefined;
    throw error;
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
