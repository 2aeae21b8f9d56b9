import { lstat, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import { isGood, type TopicTransfer } from '../../../domain/references/topic/library.ts';
import { parseLock } from '../../../domain/references/topic/lock.ts';
import { writing } from '../file-fault.ts';
import {
  filePathsIn,
  lookUp,
  MAX_FILE_BYTES,
  plainFile,
  readFileIn,
  readLockIn,
  readPlain,
  readTopicIn,
} from './topic-directory.ts';
import { reading } from './unreadable.ts';

export function topicTransfer(root: string): TopicTransfer {
  return {
    async exportTo(slug, directory) {
      const source = path.join(root, slug);
      if (await lookUp(directory))
        throw new Fault('files/exists', `${directory} exists already.`, {
          hint: 'Name a directory that does not exist yet.',
        });
      try {
        await writing(directory, () => copyTopic(source, directory));
      } catch (error) {
        await rm(directory, { recursive: true, force: true });
        throw error;
      }
    },
    async readExported(directory) {
      if (!(await isExported(directory))) return undefined;
      const kept = await readTopicIn(directory, path.basename(directory));
      if (!kept || !isGood(kept))
        throw new Fault('references/broken', `${directory}: ${kept?.problem ?? 'it is gone'}.`, {
          hint: 'Repair it, or import its files directory alone.',
        });
      const lock = parseLock(await readLockIn(directory));
      return { topic: kept.topic, lock, readFile: (name) => readFileIn(directory, name) };
    },
  };
}

async function copyTopic(source: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  for (const name of ['topic.md', 'lock.jsonl'])
    await copyFile(path.join(source, name), path.join(target, name));
  for (const name of await filePathsIn(source)) {
    const file = await plainFile(source, name);
    if (!file) continue;
    const copy = path.join(target, 'files', name);
    await mkdir(path.dirname(copy), { recursive: true });
    await copyFile(file, copy);
  }
}

async function copyFile(file: string, copy: string): Promise<void> {
  const content = await reading(file, () => readPlain(file, MAX_FILE_BYTES));
  if (!content) throw new Fault('files/unreadable', `${file} is missing, or is not a plain file.`);
  await writeFile(copy, content, { flag: 'wx' });
}

async function isExported(directory: string): Promise<boolean> {
  for (const name of ['topic.md', 'lock.jsonl', 'files'])
    if (!(await lstat(path.join(directory, name)).catch(() => undefined))) return false;
  return true;
}
