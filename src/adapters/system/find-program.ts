import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The file of a program on a PATH; undefined when there is none. Only absolute entries count: an empty or relative one
 * means the current directory, which may be a clone. Every program that is named without a slash is found here.
 */
export function findProgram(program: string, searched: string | undefined): string | undefined {
  for (const directory of (searched ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(directory)) continue;
    const file = path.join(directory, program);
    if (isExecutable(file)) return file;
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
