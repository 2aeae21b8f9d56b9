import { constants, copyFile, link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import type { WriterLocks } from '../../../domain/conversations/writer-lock.ts';
import { fileNameProblem } from '../../../domain/references/sources/file-name.ts';
import type { StagedTopic } from '../../../domain/references/topic/library.ts';
import { formatLock, type TopicLock } from '../../../domain/references/topic/lock.ts';
import { isSlug, type ReferenceTopic } from '../../../domain/references/topic/topic.ts';
import { writeAtomically } from '../atomic-write.ts';
import { isSystemError, writing } from '../file-fault.ts';
import type { Locked } from './library-lock.ts';
import { clearStage, makeStage, type Stage, tidyLeftovers } from './stages.ts';
import { lookUp, plainFile, readTopicIn } from './topic-directory.ts';
import { formatTopicFile } from './topic-file.ts';

export interface StagingPlace {
  readonly root: string;
  readonly locks: WriterLocks;
  readonly locked: Locked;
}

export async function stagedTopic({ root, locks, locked }: StagingPlace): Promise<StagedTopic> {
  const stage = await locked(async () => {
    await tidyLeftovers(root, locks);
    return makeStage(root, locks);
  });
  const topicDirectory = path.join(stage.directory, 'topic');
  const files = path.join(topicDirectory, 'files');
  const place = filePlace(files);
  let isOver = false;
  const discard = async () => {
    if (!isOver) await clearStage(stage);
    isOver = true;
  };
  return {
    async write(name, content) {
      const file = await place(name);
      return file ? put(file, (target) => writeFile(target, content, { flag: 'wx' })) : 'taken';
    },
    async carry(from, name) {
      const old = await plainFile(path.join(root, from.slug), from.path);
      const file = old && (await place(name));
      return (
        old !== undefined &&
        file !== undefined &&
        (await put(file, (target) => linkOrCopy(old, target))) === 'written'
      );
    },
    drop: async (name) => {
      if (!fileNameProblem(name)) await rm(path.join(files, name), { force: true });
    },
    publish: (topic, lock) =>
      locked(async () => {
        if (!isSlug(topic.slug)) throw new TypeError(`no slug: ${topic.slug}`);
        const target = path.join(root, topic.slug);
        await tidyLeftovers(root, locks);
        if (await lookUp(target)) return false;
        await describe(topicDirectory, topic, lock);
        await writing(target, () => rename(topicDirectory, target));
        await discard();
        return true;
      }),
    replace: (slug, change, lock) =>
      locked(async () => {
        await tidyLeftovers(root, locks);
        const kept = await readTopicIn(path.join(root, slug), slug);
        if (!kept || !('topic' in kept)) return false;
        await describe(topicDirectory, change(kept.topic), lock);
        await swap(root, slug, { ...stage, topicDirectory });
        await discard();
        return true;
      }),
    discard,
  };
}

/** Creates the directory of a file; undefined when a file has the name of that directory. */
function filePlace(files: string) {
  const made = new Set<string>();
  return async (name: string): Promise<string | undefined> => {
    const problem = fileNameProblem(name);
    if (problem) throw new Fault('references/invalid', `"${name}" cannot be kept: ${problem}.`);
    const file = path.join(files, name);
    const directory = path.dirname(file);
    if (made.has(directory)) return file;
    try {
      await mkdir(directory, { recursive: true });
    } catch (error) {
      if (isSystemError(error) && TAKEN.has(error.code)) return undefined;
      return writing(directory, () => Promise.reject(error));
    }
    made.add(directory);
    return file;
  };
}

const TAKEN = new Set(['EEXIST', 'ENOTDIR', 'EISDIR']);

async function put(file: string, write: (file: string) => Promise<void>): Promise<'written' | 'taken'> {
  try {
    await write(file);
    return 'written';
  } catch (error) {
    if (isSystemError(error) && TAKEN.has(error.code)) return 'taken';
    return writing(file, () => Promise.reject(error));
  }
}

/** A hard link takes no space for unchanged content; some file systems have none. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!isSystemError(error) || TAKEN.has(error.code)) throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}

async function describe(directory: string, topic: ReferenceTopic, lock: TopicLock): Promise<void> {
  await writing(directory, () => mkdir(path.join(directory, 'files'), { recursive: true }));
  await writeAtomically(path.join(directory, 'lock.jsonl'), formatLock(lock));
  await writeAtomically(path.join(directory, 'topic.md'), formatTopicFile(topic));
}

/** Between the two renames the old state is in `.replaced`, where readers find it and `tidyLeftovers` restores it from. */
async function swap(
  root: string,
  slug: string,
  { directory, topicDirectory }: Pick<Stage, 'directory'> & { topicDirectory: string },
): Promise<void> {
  const target = path.join(root, slug);
  const old = path.join(root, '.replaced', slug);
  await writing(target, async () => {
    await mkdir(path.dirname(old), { recursive: true });
    await rename(target, old);
    try {
      await rename(topicDirectory, target);
    } catch (error) {
      await rename(old, target);
      throw error;
    }
    await rename(old, path.join(directory, 'replaced'));
  });
}
