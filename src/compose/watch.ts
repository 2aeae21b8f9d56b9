import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sqliteWriterLocks } from '../adapters/sqlite/seam/writer-locks.ts';
import { systemClock } from '../adapters/system/primitives.ts';
import { watchDirectories } from '../adapters/watch/directory-watch.ts';
import type { App } from '../app.ts';
import { Fault } from '../base/fault.ts';
import type { FileWatch } from '../domain/search/watch/file-watch.ts';
import { ownDirectory, type Surroundings, workspaceName } from './part.ts';
import { libraryRoot } from './references.ts';

/** Topics of the library that are watched for changes of their descriptions; all are for being fetched and deleted. */
const MOST_TOPICS = 500;

export function openFileWatch(surroundings: Surroundings, app: Pick<App, 'config'>): FileWatch {
  const { directories, workspace } = surroundings;
  const library = libraryRoot(surroundings, app.config);
  const place = workspace ? workspaceName(workspace) : 'no-workspace';
  const locks = sqliteWriterLocks(systemClock);
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
    async lead() {
      const directory = path.join(directories.state, 'watch', place);
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        return await locks.take(directory);
      } catch (error) {
        if (error instanceof Fault || isSystemError(error)) return undefined;
        throw error;
      }
    },
  };
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
