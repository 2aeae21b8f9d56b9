import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
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
    return realpathSync.native(file);
  } catch {
    const parent = path.dirname(file);
    return parent === file ? file : path.join(realPath(parent), path.basename(file));
  }
}

const MOST_LINKS = 40;

/** The link-free path of `file`; undefined when it, or a link on the way, leads out of `root`, a real path. */
export function linkFreePath(root: string, file: string): string | undefined {
  const pending = stepsOf(root, path.resolve(root, file));
  let at = root;
  for (let links = 0; pending && pending.length > 0; ) {
    const name = pending.pop() ?? '';
    if (name === '..' && at === root) return undefined;
    const next = path.join(at, name);
    if (!lstatSync(next, { throwIfNoEntry: false })?.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (++links > MOST_LINKS) throw Object.assign(new Error(`${file}: too many links`), LOOP);
    const target = readlinkSync(next);
    const steps = path.isAbsolute(target) ? stepsOf(root, target) : backwards(target);
    if (!steps) return undefined;
    if (path.isAbsolute(target)) at = root;
    pending.push(...steps);
  }
  return pending && at;
}

const LOOP = { code: 'ELOOP', errno: -40 };

/** The names from `root` to `file`, the last one first; undefined when it is not inside. */
function stepsOf(root: string, file: string): string[] | undefined {
  const relative = path.relative(root, file);
  return relative.split(path.sep)[0] === '..' ? undefined : backwards(relative);
}

function backwards(relative: string): string[] {
  return relative
    .split(path.sep)
    .filter((name) => name !== '' && name !== '.')
    .reverse();
}
