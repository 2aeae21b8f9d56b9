import { Fault } from '../base/fault.ts';
import { formatKeyPath } from './key-path.ts';
import type { DoubtedFile, Loaded, LoadedFile } from './load.ts';
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
 * One line for all keys that an untrusted workspace sets, one for each file that others can write to, and one for each
 * key that may not be set where it stands. `hasChanged`: the workspace was trusted before it changed.
 */
export async function omissionWarnings(
  { files, doubts }: Pick<Loaded, 'files' | 'doubts'>,
  omissions: readonly Omission[],
  hasChanged = false,
): Promise<string[]> {
  const untrusted = keysOf(omissions.filter(({ need }) => need === 'trusted'));
  const why = hasChanged ? 'has changed since it was trusted' : 'is not trusted';
  const single = await Promise.all(
    omissions
      .filter(({ need }) => need === 'limit' || need === 'authority')
      .map(async (each) => `${await placeOf(files, each)}: ${singleReason(each)}`),
  );
  return [
    ...(untrusted.length > 0
      ? [`this workspace ${why}, so ${leftOut(untrusted)}; see "ken trust --show".`]
      : []),
    ...doubts.flatMap((doubted) => doubtWarning(doubted, omissions)),
    ...conversationWarnings(omissions),
    ...single,
  ];
}

function singleReason({ need, path, limit }: Omission): string {
  const key = formatKeyPath(path);
  if (need === 'authority')
    return `${key} counts only in authority.toml and is left out here; use "ken config set --user ${key} …".`;
  const how = typeof limit === 'number' ? 'lowered' : 'narrowed';
  return `${key} may only be ${how} here; ${JSON.stringify(limit)} stays in force.`;
}

/** One line for each conversation with settings that the operator did not give. */
function conversationWarnings(omissions: readonly Omission[]): string[] {
  const foreign = omissions.filter(({ need, origin }) => need === 'owned' && origin.kind === 'conversation');
  return [...Map.groupBy(foreign, ({ origin }) => origin.name)].map(
    ([id, left]) =>
      `the conversation ${id} did not get all of its settings from you on this machine, so ${leftOut(keysOf(left))}; ` +
      'give them again with --cfg or --model.',
  );
}

function doubtWarning(doubted: DoubtedFile, omissions: readonly Omission[]): string[] {
  const { file, doubt, isIgnored, isUnsigned } = doubted;
  const remedy = (chmod: string) =>
    isUnsigned ? 'sign them with "ken approvals unlock"' : `make it yours alone with "chmod ${chmod}"`;
  if (isIgnored) return [`${file} ${doubt}, so nothing in it counts; ${remedy('600')}.`];
  const keys = keysOf(omissions.filter(({ need, origin }) => need === 'owned' && origin.name === file));
  return keys.length > 0 ? [`${file} ${doubt}, so ${leftOut(keys)}; ${remedy('go-w')}.`] : [];
}

function keysOf(omissions: readonly Omission[]): string[] {
  return [...new Set(omissions.map(({ path }) => formatKeyPath(path)))];
}

function leftOut(keys: readonly string[]): string {
  const named =
    keys.length > 3 ? `${keys.slice(0, 3).join(', ')} and ${keys.length - 3} more` : keys.join(', ');
  return `${named} ${keys.length > 1 ? 'are' : 'is'} left out`;
}
