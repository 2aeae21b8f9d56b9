import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { HeldLock, WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import { isSystemError, writing } from '../file-fault.ts';
import { lookUp } from './topic-directory.ts';

export interface Stage {
  readonly directory: string;
  readonly held: HeldLock;
}

/** Must be called with the lock of the library, so that no process takes the new directory for a leftover. */
export async function makeStage(root: string, locks: WriterLocks): Promise<Stage> {
  const stages = path.join(root, '.staging');
  const directory = await writing(stages, async () => {
    await mkdir(stages, { recursive: true, mode: 0o700 });
    return mkdtemp(path.join(stages, 'topic-'));
  });
  return { directory, held: await locks.take(directory) };
}

/** Removes a stage. A failure leaves a leftover, which another process removes later. */
export async function clearStage({ directory, held }: Stage): Promise<void> {
  await rm(directory, { recursive: true, force: true }).catch(() => {});
  await held.release();
}

/** Must be called with the lock of the library. Returns the number of leftovers. */
export async function tidyLeftovers(root: string, locks: WriterLocks): Promise<number> {
  let count = 0;
  const replaced = path.join(root, '.replaced');
  for (const name of await namesIn(replaced)) {
    await putBack(root, path.join(replaced, name), name, locks);
    count += 1;
  }
  const stages = path.join(root, '.staging');
  for (const name of await namesIn(stages)) {
    const directory = path.join(stages, name);
    const held = await locks.take(directory).catch(() => undefined);
    if (!held) continue;
    await clearStage({ directory, held });
    count += 1;
  }
  return count;
}

/** Restores the old state when its process died before the new state was in place, or else removes it. */
async function putBack(root: string, old: string, slug: string, locks: WriterLocks): Promise<void> {
  if (!(await lookUp(path.join(root, slug)))) {
    await writing(old, () => rename(old, path.join(root, slug)));
    return;
  }
  const stage = await makeStage(root, locks);
  await writing(old, () => rename(old, path.join(stage.directory, 'replaced')));
  await clearStage(stage);
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return [];
    throw error;
  }
}
