import { globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../base/fault.ts';
import { compareCodePoints } from '../../base/text.ts';
import type { ConfigFiles } from '../../config/load.ts';
import { isInside, realPath } from './real-path.ts';

const MAX_BYTES = 4 * 1024 * 1024;
/** Keeps a byte-order mark, so that an edited file is written back with it. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export const configFiles: ConfigFiles = {
  resolve: (base, relative) => path.resolve(base, relative),
  directoryOf: (file) => path.dirname(file),
  isInside,
  leadsInside: (file, directory) => isInside(realPath(file), realPath(directory)),
  async read(file) {
    try {
      return readText(file);
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (isMissing(error)) return undefined;
      throw new Fault('files/unreadable', `${file} cannot be read.`, {
        hint: (error as Error).message,
        cause: error,
      });
    }
  },
  async matching(base, glob) {
    return globSync(glob, { cwd: base })
      .map((relative) => path.resolve(base, relative))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile())
      .sort(compareCodePoints);
  },
  async replace(file, text, standing, mode) {
    const { writeAtomically } = await import('./atomic-write.ts');
    const { writing } = await import('./file-fault.ts');
    await writing(file, async () => void mkdirSync(path.dirname(file), { recursive: true }));
    const followLink = standing === 'user';
    await writeAtomically(file, text, { followLink, ...(mode !== undefined && { mode }) });
  },
  async remove(file) {
    const { writing } = await import('./file-fault.ts');
    await writing(file, () => rm(file, { force: true }));
  },
  async removeEmpty(directory) {
    const { isSystemError } = await import('./file-fault.ts');
    try {
      await rmdir(directory);
    } catch (error) {
      // It is not empty, or must not be removed.
      if (!isSystemError(error)) throw error;
    }
  },
};

/** Opens no pipe and no device, which could block or never end. */
function readText(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile()) throw new Fault('files/unreadable', `${file} is not a regular file.`);
  if (stats.size > MAX_BYTES) {
    throw new Fault('config/invalid', `${file} is larger than a config file may be (${MAX_BYTES} bytes).`);
  }
  const bytes = readFileSync(file);
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    throw new Fault('config/invalid', `${file} is not UTF-8 text.`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
