/**
 * Stores topics as `<root>/<slug>/` with `topic.md`, `lock.jsonl` and `files/`. `.staging/<token>/` holds topics that
 * are being made or removed; `.replaced/<slug>/` holds the old state while the new one is moved into place. Readers
 * that find no `<slug>` look there.
 */

import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { compareCodePoints } from '../../../base/text.ts';
import type { WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import type { ReferenceLibrary } from '../../../domain/references/topic/library.ts';
import { parseLock } from '../../../domain/references/topic/lock.ts';
import { isSlug, type ReferenceTopic } from '../../../domain/references/topic/topic.ts';
import { writeAtomically } from '../atomic-write.ts';
import { isSystemError, writing } from '../file-fault.ts';
import { libraryLock } from './library-lock.ts';
import { stagedTopic } from './staged-topic.ts';
import { clearStage, makeStage, tidyLeftovers } from './stages.ts';
import { filePathsIn, lookUp, readFileIn, readLockIn, readTopicIn } from './topic-directory.ts';
import { formatTopicFile } from './topic-file.ts';
import { reading } from './unreadable.ts';

export interface LibraryPlace {
  readonly root: string;
  readonly locks: WriterLocks;
}

export function fileReferenceLibrary({ root, locks }: LibraryPlace): ReferenceLibrary {
  const locked = libraryLock(root, locks);
  return {
    async list() {
      const names = [...(await namesIn(root)), ...(await namesIn(path.join(root, '.replaced')))];
      const slugs = [...new Set(names.filter(isSlug))].sort(compareCodePoints);
      const kept = await Promise.all(slugs.map((slug) => readTopic(root, slug)));
      return kept.filter((each) => each !== undefined);
    },
    get: async (slug) => (isSlug(slug) ? readTopic(root, slug) : undefined),
    async lock(slug) {
      const directory = await directoryOf(root, slug);
      return parseLock(directory ? await readLockIn(directory) : '');
    },
    async readFile(slug, file) {
      const directory = await directoryOf(root, slug);
      return directory ? readFileIn(directory, file) : undefined;
    },
    async filePaths(slug) {
      const directory = await directoryOf(root, slug);
      return directory ? (await filePathsIn(directory)).sort(compareCodePoints) : [];
    },
    stage: () => stagedTopic({ root, locks, locked }),
    change: (slug, change) =>
      locked(async () => {
        const kept = await readTopic(root, slug);
        if (!kept || !('topic' in kept)) return false;
        await saveTopic(path.join(root, slug), change(kept.topic));
        return true;
      }),
    remove: (slug) =>
      locked(async () => {
        const directory = await directoryOf(root, slug);
        if (!directory) return false;
        const stage = await makeStage(root, locks);
        await writing(directory, () => rename(directory, path.join(stage.directory, 'removed')));
        await clearStage(stage);
        return true;
      }),
    tidy: () => locked(() => tidyLeftovers(root, locks)),
  };
}

async function saveTopic(directory: string, topic: ReferenceTopic): Promise<void> {
  await writeAtomically(path.join(directory, 'topic.md'), formatTopicFile(topic));
}

/** A topic that is being replaced is always in one of the two places, but may move between two reads. */
async function readTopic(root: string, slug: string) {
  for (const directory of placesOf(root, slug)) {
    const kept = await readTopicIn(directory, slug);
    if (kept) return kept;
  }
  return undefined;
}

async function directoryOf(root: string, slug: string): Promise<string | undefined> {
  if (!isSlug(slug)) return undefined;
  for (const directory of placesOf(root, slug)) if (await lookUp(directory)) return directory;
  return undefined;
}

function placesOf(root: string, slug: string): string[] {
  const own = path.join(root, slug);
  return [own, path.join(root, '.replaced', slug), own];
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return [];
    return reading(directory, () => Promise.reject(error));
  }
}
