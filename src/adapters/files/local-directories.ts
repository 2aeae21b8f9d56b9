import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { compareCodePoints } from '../../base/text.ts';
import { fileNameProblem } from '../../domain/references/file-name.ts';
import type { GitContent, GitFile, GitMode, GitTree } from '../../domain/references/git-reader.ts';
import type { LocalDirectories } from '../../domain/references/local-directories.ts';
import { isSystemError } from './file-fault.ts';

/** Relative paths count from `base`. */
export function localDirectories(base: string): LocalDirectories {
  return {
    async open(directory) {
      const root = path.resolve(base, directory);
      const found = await walk(root);
      const files = found.filter(({ path: name }) => !fileNameProblem(name));
      return {
        commit: '',
        files: files.sort((a, b) => compareCodePoints(a.path, b.path)),
        unusableNames: found.length - files.length,
        read: (wanted, { maxFileBytes }) => readAll(root, wanted, maxFileBytes),
        close: async () => {},
      } satisfies GitTree;
    },
  };
}

async function walk(root: string): Promise<GitFile[]> {
  const files: GitFile[] = [];
  const pending = [''];
  for (let at = 0; at < pending.length; at++) {
    const below = pending[at] ?? '';
    for (const entry of await entriesOf(path.join(root, below), below === '')) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== '.git') pending.push(name);
      } else if (entry.isSymbolicLink()) files.push({ path: name, mode: '120000', oid: '' });
      else if (entry.isFile()) files.push(await fileAt(root, name));
    }
  }
  return files;
}

/** A directory further below that may not be read is left out, as what is gone meanwhile. */
async function entriesOf(directory: string, isRoot: boolean) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    if (!isRoot) return [];
    const code = cause.code === 'ENOENT' ? 'files/not-found' : 'files/unreadable';
    throw new Fault(code, `${directory} is no directory that can be read.`, { cause });
  }
}

async function fileAt(root: string, name: string): Promise<GitFile> {
  const stats = await lstat(path.join(root, name), { bigint: true });
  const mode: GitMode = stats.mode & 0o100n ? '100755' : '100644';
  const oid = [stats.mtimeNs, stats.size].map((part) => part.toString(16).padStart(16, '0')).join('');
  return { path: name, mode, oid };
}

async function* readAll(
  root: string,
  files: readonly GitFile[],
  maxBytes: number,
): AsyncGenerator<GitContent> {
  for (const file of files) {
    const handle = await open(
      path.join(root, file.path),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    ).catch(() => undefined);
    if (!handle) continue;
    try {
      const { size } = await handle.stat();
      yield { file, sizeBytes: size, bytes: size > maxBytes ? undefined : await handle.readFile() };
    } finally {
      await handle.close();
    }
  }
}
