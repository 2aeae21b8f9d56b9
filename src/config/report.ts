/** Formats problems and omissions with their places in files. */

import { Fault } from '../base/fault.ts';
import { formatKeyPath } from './key-path.ts';
import type { LoadedFile } from './load.ts';
import type { ConfigProblem, Omission, Origin } from './resolve.ts';
import type { Problem } from './schema/find-node.ts';

/** `path/to/config.toml:3:1`, or the variable, `--cfg` text or flag. Loads a full TOML parser for a file. */
export async function placeOf(
  files: readonly LoadedFile[],
  { origin, path }: { readonly origin: Origin; readonly path: Problem['path'] },
): Promise<string> {
  if (origin.kind === 'assignment') return `--cfg ${origin.name}`;
  const text = files.find(({ file }) => file === origin.name)?.text;
  if (origin.kind !== 'file' || text === undefined) return origin.name;
  const { placeOfKey } = await import('./toml/outline-toml.ts');
  const place = placeOfKey(text, path);
  return place ? `${origin.name}:${place.line}:${place.column}` : origin.name;
}

export async function problemFault(files: readonly LoadedFile[], problem: ConfigProblem): Promise<Fault> {
  const place = await placeOf(files, problem);
  return new Fault(problem.code, `${place}: ${problem.message}.`, { hint: problem.hint });
}

/** One line for all settings of a conversation that do not fit the schema. */
export function skippedWarnings(skipped: readonly ConfigProblem[]): string[] {
  const [first, ...others] = skipped;
  if (!first) return [];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return [`settings of the conversation ${first.origin.name} are left out: ${first.message}${more}.`];
}

/**
 * One line for all keys that an untrusted workspace sets, and one for each limit that it would raise. `hasChanged`: the
 * workspace was trusted before it changed.
 */
export async function omissionWarnings(
  files: readonly LoadedFile[],
  omissions: readonly Omission[],
  hasChanged = false,
): Promise<string[]> {
  const untrusted = omissions.filter(({ need }) => need === 'trusted');
  const keys = [...new Set(untrusted.map(({ path }) => formatKeyPath(path)))];
  const warnings = await Promise.all(
    omissions
      .filter(({ need }) => need === 'limit')
      .map(async (each) => {
        const place = await placeOf(files, each);
        return `${place}: ${formatKeyPath(each.path)} may only be lowered here; ${each.limit} stays in force.`;
      }),
  );
  if (keys.length === 0) return warnings;
  const named =
    keys.length > 3 ? `${keys.slice(0, 3).join(', ')} and ${keys.length - 3} more` : keys.join(', ');
  const why = hasChanged ? 'has changed since it was trusted' : 'is not trusted';
  const message = `this workspace ${why}, so ${named} ${keys.length > 1 ? 'are' : 'is'} left out; see "ken trust --show".`;
  return [message, ...warnings];
}
