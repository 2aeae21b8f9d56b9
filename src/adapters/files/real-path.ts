import { realpathSync } from 'node:fs';
import path from 'node:path';

/** Compares the paths as they are written and follows no links; a directory is inside itself. */
export function isInside(file: string, directory: string): boolean {
  const relative = path.relative(directory, file);
  return (
    relative === '' ||
    (!relative.startsWith(`..${path.sep}`) && relative !== '..' && !path.isAbsolute(relative))
  );
}

/** Follows links as far as the path exists. */
export function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}
