import { linkSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Compiled code that the sandboxes of all tests share. Each has a home of its own, so that without it every process
 * would compile the bundle and write a cache that is thrown away with the home.
 */
const shared = path.join(tmpdir(), 'compiled-bundle');

const cacheOf = (home: string) => path.join(home, 'cache/compiled');

/** Gives a new home the code that earlier runs compiled. */
export function lendCompiledCode(home: string): void {
  mkdirSync(shared, { recursive: true });
  mkdirSync(cacheOf(home), { recursive: true, mode: 0o700 });
  for (const name of readdirSync(shared))
    tryTo(() => linkSync(path.join(shared, name), path.join(cacheOf(home), name)));
}

/** Keeps what the runs of a home compiled, for the next one. ken replaces such files and never writes into them. */
export function keepCompiledCode(home: string): void {
  if (unshared.has(home)) return;
  for (const name of namesIn(cacheOf(home))) {
    const file = path.join(cacheOf(home), name);
    const known = statSync(path.join(shared, name), { throwIfNoEntry: false });
    if (known?.ino === statSync(file, { throwIfNoEntry: false })?.ino) continue;
    const fresh = path.join(shared, `.${process.pid}-${name}`);
    tryTo(() => {
      linkSync(file, fresh);
      renameSync(fresh, path.join(shared, name));
    });
    rmSync(fresh, { force: true });
  }
}

const unshared = new Set<string>();

/** For a test that forges or damages compiled code: nothing of this home reaches another one. */
export function shareNoCompiledCode(home: string): void {
  unshared.add(home);
}

/** Takes the lent code away, for a run by another account: it may not write below a directory that this one made. */
export function withdrawCompiledCode(home: string): void {
  rmSync(cacheOf(home), { recursive: true, force: true });
  tryTo(() => rmdirSync(path.dirname(cacheOf(home))));
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => !name.endsWith('.new'));
  } catch {
    return [];
  }
}

/** Another process may be faster, and a link may lead to no other disk: without the code everything works, only slower. */
function tryTo(step: () => void): void {
  try {
    step();
  } catch {}
}
