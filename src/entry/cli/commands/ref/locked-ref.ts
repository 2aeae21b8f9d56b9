import { statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../../../base/fault.ts';
import { LOCK_FILES, lockedVersions } from '../../../../domain/references/sources/locked-versions.ts';
import { isPackageName, versionRef } from '../../../../domain/references/sources/version-ref.ts';
import type { Invocation } from '../../command.ts';
import { readContent } from '../../read-content.ts';

/** Lock files are a few megabytes at most. */
const MAX_LOCK_BYTES = 64 * 1024 * 1024;

/** The ref of the version that the project around the current directory uses. The nearest directory with it counts. */
export async function lockedRef(
  invocation: Pick<Invocation, 'directory' | 'terminal'>,
  name: string,
  top: string,
): Promise<string> {
  if (!isPackageName(name)) throw new Fault('cli/usage', `"${name}" cannot be the name of a package.`);
  const looked: string[] = [];
  for (const directory of upwards(invocation.directory, top)) {
    const found = new Map<string, string>();
    for (const file of LOCK_FILES.map((each) => path.join(directory, each))) {
      const stats = statSync(file, { throwIfNoEntry: false });
      if (!stats?.isFile() || stats.size > MAX_LOCK_BYTES) continue;
      looked.push(file);
      const text = new TextDecoder().decode(await readContent(file, invocation));
      for (const version of lockedVersions(path.basename(file), text, name)) found.set(version, file);
    }
    const [version, ...others] = found.keys();
    if (version !== undefined && others.length > 0) throw several(name, found);
    if (version !== undefined) return versionRef({ name, version });
  }
  const where = looked.length === 0 ? 'There is no lock file' : `${looked.join(', ')} has no package`;
  throw new Fault('files/not-found', looked.length === 0 ? `${where} here.` : `${where} "${name}".`, {
    hint: 'Give the version yourself: --ref version:NAME@1.2.3, or a tag with --ref.',
  });
}

function upwards(directory: string, top: string): string[] {
  const inside = path.relative(top, directory);
  if (inside.startsWith('..') || path.isAbsolute(inside)) return [directory];
  const steps = inside === '' ? [] : inside.split(path.sep);
  return [...steps.keys(), steps.length].map((count) => path.join(top, ...steps.slice(0, count))).reverse();
}

function several(name: string, found: ReadonlyMap<string, string>): Fault {
  const versions = [...found].map(([version, file]) => `${version} (${path.basename(file)})`);
  return new Fault('cli/usage', `The project has ${name} in several versions: ${versions.join(', ')}.`, {
    hint: `Choose one: --ref version:${name}@${[...found.keys()][0] ?? '1.2.3'}.`,
  });
}
