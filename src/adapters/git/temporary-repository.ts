/** Bare repositories that live as long as one reading. Those of processes that were killed go at the next one. */

import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { ProcessWatch } from '../../domain/approvals/job.ts';

export interface RepositoryPlace {
  /** Everything in it is ours and may go. */
  readonly directory: string;
  readonly watch: ProcessWatch;
  readonly clock: Clock;
}

const OWNER = 'owner';
const DAY_MS = 24 * 60 * 60 * 1000;

/** An empty directory of its own for each call. */
export async function makePlace({ directory, watch, clock }: RepositoryPlace): Promise<string> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await sweep({ directory, watch, clock });
    const made = await mkdtemp(path.join(directory, 'r-'));
    await writeFile(path.join(made, OWNER), await watch.self());
    return made;
  } catch (cause) {
    throw new Fault('files/unwritable', `Nothing can be written in ${directory}.`, { cause });
  }
}

export async function removePlace(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true, maxRetries: 3 });
}

async function sweep({ directory, watch, clock }: RepositoryPlace): Promise<void> {
  for (const name of await readdir(directory)) {
    const place = path.join(directory, name);
    if (await isLeftBehind(place, watch, clock)) await removePlace(place).catch(() => {});
  }
}

/** What does not say whose it is may be a moment old, so it gets a day. */
async function isLeftBehind(place: string, watch: ProcessWatch, clock: Clock): Promise<boolean> {
  const owner = await readFile(path.join(place, OWNER), 'utf8').catch(() => '');
  const liveness = owner === '' ? 'unknown' : await watch.liveness(owner);
  if (liveness !== 'unknown') return liveness === 'gone';
  const made = await stat(place).catch(() => undefined);
  return made !== undefined && clock.now() - made.mtimeMs > DAY_MS;
}
