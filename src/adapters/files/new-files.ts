import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { NewFiles } from '../../domain/knowledge-base/export-skills.ts';
import { isListablePath } from '../../domain/knowledge-base/subject-files.ts';
import { createExclusive } from './atomic-write.ts';
import { writing } from './file-fault.ts';

/** Directories are given as absolute paths. */
export const newFilesOnDisk: NewFiles = {
  async create(directory, files) {
    await writing(directory, async () => void mkdirSync(directory, { recursive: true }));
    const root = realpathSync(directory);
    for (const file of files) {
      await writing(path.join(root, file.path), async () => refuseTaken(root, file.path));
    }
    for (const { path: relative, content } of files) {
      const target = path.join(root, relative);
      await writing(target, async () => makeDirectories(root, path.posix.dirname(relative)));
      await createExclusive(target, content);
    }
  },
  async makeDirectory(root, relative) {
    if (relative === '.') return;
    await writing(path.join(root, relative), async () => {
      refuseOutside(root, relative);
      makeDirectories(realpathSync(root), relative);
    });
  },
};

function refuseOutside(root: string, relative: string): void {
  if (!isListablePath(relative)) {
    throw new Fault('files/unwritable', `${relative} is not a path below ${root}.`);
  }
}

function refuseTaken(root: string, relative: string): void {
  const target = path.join(root, relative);
  refuseOutside(root, relative);
  refuseLinks(root, path.posix.dirname(relative));
  if (lstatSync(target, { throwIfNoEntry: false })) {
    throw new Fault('files/exists', `${target} exists already.`, {
      hint: 'Use another name, or remove it first. Nothing was written.',
    });
  }
}

/** Every existing directory on the way must be inside `root` after following links. */
function refuseLinks(root: string, directory: string): void {
  for (const step of stepsTo(directory)) {
    const place = path.join(root, step);
    if (!lstatSync(place, { throwIfNoEntry: false })) return;
    const real = realpathSync(place);
    if (real !== root && !real.startsWith(root + path.sep)) {
      throw new Fault('files/unwritable', `${place} is a link that leaves ${root}.`, {
        hint: 'Use another name. Nothing was written.',
      });
    }
  }
}

function makeDirectories(root: string, directory: string): void {
  refuseLinks(root, directory);
  mkdirSync(path.join(root, directory), { recursive: true });
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
function stepsTo(directory: string): string[] {
  if (directory === '.') return [];
  const parts = directory.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
