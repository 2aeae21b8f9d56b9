import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { compareCodePoints } from '../../base/text.ts';
import { fileNameProblem } from '../../domain/references/sources/file-name.ts';
import type {
  GitContent,
  GitFile,
  GitMode,
  GitTree,
  LocalDirectories,
} from '../../domain/references/sources/git-reader.ts';
import { openFile } from '../paths/open-path.ts';
import { realPath } from '../paths/real-path.ts';
import { isSystemError } from './file-fault.ts';

export interface DirectoryLimits {
  readonly maxFiles: number;
  readonly maxBytes: number;
}

/** Relative paths are relative to `base`; the limits apply to each directory. */
export function localDirectories(base: string, limits: DirectoryLimits): LocalDirectories {
  return {
    async open(directory) {
      const root = path.resolve(base, directory);
      const found = await walk(root);
      const files = found.filter(({ path: name }) => !fileNameProblem(name));
      return {
        commit: '',
        files: files.sort((a, b) => compareCodePoints(a.path, b.path)),
        unusableNames: found.length - files.length,
        read: (wanted, { maxFileBytes }) => readAll(root, wanted, { ...limits, maxFileBytes }),
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
    const directory = path.join(root, below);
    for (const entry of await entriesOf(directory, below === '')) {
      if (isPrivate(path.basename(directory), entry.name)) continue;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) pending.push(name);
      else if (entry.isSymbolicLink()) files.push({ path: name, mode: '120000', oid: '' });
      else if (entry.isFile()) files.push(...(await fileAt(root, name)));
    }
  }
  return files;
}

/** Names that ken's own .gitignore keeps out of a repository, since the library is for every workspace. */
const PRIVATE_IN_KEN = new Set(['cache', 'config.local.toml', 'conversations', 'repair']);

function isPrivate(directory: string, name: string): boolean {
  return name === '.git' || (directory === '.ken' && PRIVATE_IN_KEN.has(name));
}

/** Skips a directory further below that cannot be read or has just been removed. */
async function entriesOf(directory: string, isRoot: boolean) {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    if (!isRoot) return [];
    const code = cause.code === 'ENOENT' ? 'files/not-found' : 'files/unreadable';
    throw new Fault(code, `${directory} is not a directory that can be read.`, { cause });
  }
}

/** Empty when the file is gone. The oid includes ctime, which no program can set: archives copy the mtime. */
async function fileAt(root: string, name: string): Promise<GitFile[]> {
  const stats = await lstat(path.join(root, name), { bigint: true }).catch(unlessBug);
  if (!stats?.isFile()) return [];
  const mode: GitMode = stats.mode & 0o100n ? '100755' : '100644';
  const state = [name, stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('\0');
  return [{ path: name, mode, oid: createHash('sha256').update(state).digest('hex') }];
}

async function* readAll(
  root: string,
  files: readonly GitFile[],
  { maxFiles, maxBytes, maxFileBytes }: DirectoryLimits & { readonly maxFileBytes: number },
): AsyncGenerator<GitContent> {
  if (files.length > maxFiles)
    throw tooMuch(`${root}: ${files.length} files, and the limit is ${maxFiles}.`, 'max_files');
  let sum = 0;
  for (const file of files) {
    const content = readOne(path.join(realPath(root), file.path), maxFileBytes);
    sum += content?.bytes?.length ?? 0;
    if (sum > maxBytes)
      throw tooMuch(`${root}: more than ${maxBytes} bytes, which is the limit.`, 'max_bytes');
    yield content ? { file, ...content } : { file, sizeBytes: 0, bytes: undefined, isUnreadable: true };
  }
}

function readOne(file: string, maxFileBytes: number) {
  let descriptor: number | undefined;
  try {
    descriptor = openFile(file);
    const { size } = fstatSync(descriptor);
    return { sizeBytes: size, bytes: size > maxFileBytes ? undefined : readFileSync(descriptor) };
  } catch (error) {
    return unlessBug(error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function tooMuch(message: string, setting: string): Fault {
  return new Fault('references/too-large', message, {
    hint: `Import a directory further below, or raise references.${setting}.`,
  });
}

function unlessBug(error: unknown): undefined {
  if (!isSystemError(error) && !(error instanceof Fault)) throw error;
}
