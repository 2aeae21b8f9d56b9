import { constants } from 'node:fs';
import { access, lstat, mkdir, readdir, realpath, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { MadeWorkspace, Places } from '../../base/places.ts';
import { createExclusive } from './atomic-write.ts';
import { isSystemError, writing } from './file-fault.ts';
import { obstacleAt } from './find-workspace.ts';
import { STARTER_FILES } from './starter-files.ts';

export const places: Places = { makeWorkspace, whyNotWritable, freeBytes, newestChange };

async function makeWorkspace(
  directory: string,
  starter: 'starter files' | 'no files' = 'starter files',
): Promise<MadeWorkspace> {
  await writing(directory, () => mkdir(directory, { recursive: true }));
  const root = await realpath(directory);
  const home = path.join(root, '.ken');
  await makeOwnDirectory(home);
  const created: string[] = [];
  const kept: string[] = [];
  for (const { name, content } of starter === 'no files' ? [] : await wantedIn(home)) {
    const isNew = await createUnlessThere(home, name, content);
    (isNew ? created : kept).push(path.join('.ken', name));
  }
  return { root, home, created, kept };
}

/** A workspace with a config gets no starter topic. The config is written last, to complete an interrupted run. */
async function wantedIn(home: string) {
  const hasConfig = await exists(path.join(home, 'config.toml'));
  return hasConfig ? STARTER_FILES.filter(({ isStarterTopic }) => !isStarterTopic) : STARTER_FILES;
}

async function createUnlessThere(home: string, name: string, content: string): Promise<boolean> {
  const file = path.join(home, name);
  if (await exists(file)) return false;
  const above = name.split('/').slice(0, -1);
  for (const depth of above.keys()) await makeOwnDirectory(path.join(home, ...above.slice(0, depth + 1)));
  try {
    await createExclusive(file, content);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.code === 'files/exists') return false;
    throw error;
  }
}

/** Refuses a link: one that came with a repository must not decide where files are written. */
async function makeOwnDirectory(directory: string): Promise<void> {
  const stats = await writing(directory, async () => {
    await mkdir(directory).catch((error: unknown) => {
      if (!isSystemError(error) || error.code !== 'EEXIST') throw error;
    });
    return lstat(directory);
  });
  const obstacle = obstacleAt(directory, stats);
  if (obstacle) throw new Fault('files/exists', `${directory} ${obstacle.problem}.`, { hint: obstacle.hint });
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

async function whyNotWritable(directory: string): Promise<string | undefined> {
  try {
    const nearest = await nearestExisting(directory);
    if (!(await stat(nearest)).isDirectory()) return `${nearest} is not a directory`;
    await access(nearest, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return REASONS[error.code] ?? error.message;
  }
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(await nearestExisting(directory));
  return bavail * bsize;
}

async function newestChange(directories: readonly string[]) {
  let newest: { path: string; at: number } | undefined;
  for (const directory of directories) {
    for (const name of await readdir(directory).catch(() => [])) {
      const file = path.join(directory, name);
      const at = await lstat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      );
      if (at > (newest?.at ?? 0)) newest = { path: file, at };
    }
  }
  return newest;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'too many symbolic links',
};

async function nearestExisting(directory: string): Promise<string> {
  const parent = path.dirname(directory);
  return (await exists(directory)) || parent === directory ? directory : nearestExisting(parent);
}
