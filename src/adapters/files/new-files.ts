import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import type { NewFile, NewFiles } from '../../domain/knowledge-base/export-skills.ts';
import { isListablePath } from '../../domain/knowledge-base/subject-files.ts';
import { makeDirectories, remove, removeAbandoned } from '../paths/change-directory.ts';
import { inDirectory, readPlainFile, requirePlainOrAbsent, statPlain } from '../paths/open-path.ts';
import { linkFreePath, realPath } from '../paths/real-path.ts';
import { createExclusive, createInParts, writeAtomically } from './atomic-write.ts';
import { writing } from './file-fault.ts';

/** Directories are given as absolute paths. */
export const newFilesOnDisk: NewFiles = {
  async create(directory, files, { keepsEqual = false } = {}) {
    const root = realPath(directory);
    await writing(directory, async () => makeDirectories(root));
    // All, before one that is taken ends this.
    for (const { path: relative } of files)
      await writing(path.join(root, relative), async () => tidy(path.dirname(placeOf(root, relative))));
    const missing: { readonly target: string; readonly content: NewFile['content'] }[] = [];
    for (const { path: relative, content } of files) {
      await writing(path.join(root, relative), async () => {
        const target = placeOf(root, relative);
        if (keepsEqual && hasContent(target, content)) return;
        refuseTaken(target);
        missing.push({ target, content });
      });
    }
    for (const { target, content } of missing) {
      await writing(target, async () => makeDirectories(path.dirname(target)));
      await createExclusive(target, content);
    }
  },
  async createInParts(directory, relative, writeParts) {
    const root = realPath(directory);
    await writing(directory, async () => makeDirectories(root));
    const target = placeOf(root, relative);
    await writing(target, async () => tidy(path.dirname(target)));
    refuseTaken(target);
    await createInParts(target, writeParts);
  },
  async makeDirectory(root, relative) {
    if (relative === '.') return;
    const place = path.join(root, relative);
    await writing(place, async () => makeDirectories(insideOf(realPath(root), relative)));
  },
  async replace(directory, relative, content, { holds } = {}) {
    const target = placeOf(realPath(directory), relative);
    requirePlainOrAbsent(target);
    if (holds !== undefined && !hasContent(target, holds) && !hasContent(target, `\uFEFF${holds}`))
      throw new Fault('files/exists', `${target} has changed in the meantime.`, {
        hint: 'Nothing was written. Propose the change again.',
      });
    await writing(target, () => writeAtomically(target, content, { follow: 'directories' }));
  },
  async remove(directory, relative) {
    const target = placeOf(realPath(directory), relative);
    requirePlainOrAbsent(target);
    await writing(target, async () => remove(target));
  },
};

/** Removes what a killed command left beside a file, also where nothing is written this time. */
function tidy(directory: string): void {
  if (statPlain(directory)?.isDirectory()) inDirectory(directory, removeAbandoned);
}

/** The path to write to, with every link in its directory resolved. */
function placeOf(root: string, relative: string): string {
  const directory = insideOf(root, path.posix.dirname(relative), relative);
  return path.join(directory, path.posix.basename(relative));
}

function insideOf(root: string, directory: string, named = directory): string {
  if (!isListablePath(named)) {
    throw new Fault('files/unwritable', `${named} is not a path below ${root}.`);
  }
  const place = linkFreePath(root, directory);
  if (place !== undefined) return place;
  const link = stepsTo(directory).find((step) => linkFreePath(root, step) === undefined) ?? directory;
  throw new Fault('files/unwritable', `${path.join(root, link)} is a link that leaves ${root}.`, {
    hint: 'Use another name. Nothing was written.',
  });
}

function hasContent(target: string, content: NewFile['content']): boolean {
  const bytes = Buffer.from(content);
  const found = statPlain(target)?.isFile() ? readPlainFile(target, bytes.length) : undefined;
  return found !== undefined && found !== 'too-large' && found.equals(bytes);
}

function refuseTaken(target: string): void {
  if (!statPlain(target)) return;
  throw new Fault('files/exists', `${target} exists already.`, {
    hint: 'Use another name, or remove it first. Nothing was written.',
  });
}

/** `a/b/c` → `a`, `a/b`, `a/b/c`. */
function stepsTo(directory: string): string[] {
  const parts = directory.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
