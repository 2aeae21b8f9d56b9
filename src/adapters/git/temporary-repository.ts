/** Directories for temporary repositories. Creating one removes those of processes that were killed. */

import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { Clock } from '../../base/time.ts';
import type { ProcessWatch } from '../../domain/approvals/job.ts';
import { readIfPossible } from '../paths/change-directory.ts';

export interface TemporaryRepositories {
  /** ken may delete everything in it. */
  readonly directory: string;
  readonly watch: ProcessWatch;
  readonly clock: Clock;
}

const OWNER = 'owner';
const DAY_MS = 24 * 60 * 60 * 1000;

export async function createRepository({ directory, watch, clock }: TemporaryRepositories): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await removeAbandoned({ directory, watch, clock });
    const made = await mkdtemp(path.join(directory, 'r-'));
    await writeFile(path.join(made, OWNER), await watch.self());
    return made;
  } catch (cause) {
    throw new Fault('files/unwritable', `Nothing can be written in ${directory}.`, { cause });
  }
}

export async function removeRepository(repository: string): Promise<void> {
  await rm(repository, { recursive: true, force: true, maxRetries: 3 });
}

async function removeAbandoned({ directory, watch, clock }: TemporaryRepositories): Promise<void> {
  for (const name of await readdir(directory)) {
    const repository = path.join(directory, name);
    if (await isAbandoned(repository, watch, clock)) await removeRepository(repository).catch(() => {});
  }
}

/** A directory without a known owner may be new, so it is kept for a day. */
async function isAbandoned(repository: string, watch: ProcessWatch, clock: Clock): Promise<boolean> {
  const owner = readIfPossible(path.join(repository, OWNER))?.toString() ?? '';
  const liveness = owner === '' ? 'unknown' : await watch.liveness(owner);
  if (liveness !== 'unknown') return liveness === 'gone';
  const made = await stat(repository).catch(() => undefined);
  return made !== undefined && clock.now() - made.mtimeMs > DAY_MS;
}
