/** Troubles and omissions in words, with the place they stand at. */

import { Fault } from '../base/fault.ts';
import { formatKeyPath } from './key-path.ts';
import type { LoadedFile } from './load.ts';
import type { LeftOut, Origin, Trouble } from './resolve.ts';
import type { Problem } from './schema/find-node.ts';

/** `path/to/config.toml:3:1`, or the variable, `--cfg` text or flag. Reads a full TOML parser for a file. */
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

export async function troubleFault(files: readonly LoadedFile[], trouble: Trouble): Promise<Fault> {
  const place = await placeOf(files, trouble);
  return new Fault(trouble.code, `${place}: ${trouble.message}.`, { hint: trouble.hint });
}

/** One line for everything that a conversation says in words of another version. */
export function passedOverWarnings(passedOver: readonly Trouble[]): string[] {
  const [first, ...others] = passedOver;
  if (!first) return [];
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return [`settings of the conversation ${first.origin.name} are left out: ${first.message}${more}.`];
}

/**
 * One line for everything an untrusted workspace asked for, one for each limit it tried to raise. `hasChanged`: it
 * was trusted, but not as it is.
 */
export async function omissionWarnings(
  files: readonly LoadedFile[],
  leftOut: readonly LeftOut[],
  hasChanged = false,
): Promise<string[]> {
  const untrusted = leftOut.filter(({ need }) => need === 'trusted');
  const keys = [...new Set(untrusted.map(({ path }) => formatKeyPath(path)))];
  const warnings = await Promise.all(
    leftOut
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
