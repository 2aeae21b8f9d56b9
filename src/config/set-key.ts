/** Writes one key into a config file and keeps its comments. */

import { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import { type LayerStanding, permitted } from './authority.ts';
import { type Change, changeProblems } from './change.ts';
import { defaultTree } from './defaults.ts';
import { formatKeyPath, type KeyPath } from './key-path.ts';
import type { ConfigFiles } from './load.ts';
import { appended, asList } from './merge.ts';
import { nodeAt } from './schema/find-node.ts';
import { SCHEMA } from './schema.ts';
import { removeFromToml, setInToml } from './toml/edit-toml.ts';
import { parseToml } from './toml/parse-toml.ts';
import { valueAt } from './tree.ts';

export interface KeyWrite {
  readonly file: string;
  readonly standing: LayerStanding;
  /** A `set` or an `append`; other changes cannot be written to a file. */
  readonly change: Change;
}

/** Returns the new value of the key in the file. */
export async function setKey(files: ConfigFiles, write: KeyWrite): Promise<Json> {
  const { file, standing } = write;
  const { after, value } = await previewKey(files, write);
  await files.replace(file, after, standing, standing === 'authority' ? 0o600 : undefined);
  return value;
}

export interface KeyPreview {
  readonly before: string;
  readonly after: string;
  readonly value: Json;
}

/** The text of the file as it is and as it would be; a Fault for a value that cannot be set. */
export async function previewKey(
  files: ConfigFiles,
  { file, standing, change }: KeyWrite,
): Promise<KeyPreview> {
  const [problem] = changeProblems(SCHEMA, change);
  if (problem) throw new Fault('config/bad-value', `${problem.message}.`, { hint: problem.hint });
  refuseForbidden(change, standing);
  const before = await ownText(files, file, standing);
  const value = valueAfter(parseToml(before, file), change);
  return { before, after: setInToml(before, change.path, value), value };
}

function refuseForbidden(change: Change, standing: LayerStanding): void {
  const { refusals } = permitted(SCHEMA, change, { standing, isTrusted: true, current: defaultTree(SCHEMA) });
  for (const { need, path } of refusals) {
    const refused = formatKeyPath(path);
    if (need === 'user' || need === 'authority') {
      const where = need === 'user' ? 'config file' : 'authority.toml';
      throw new Fault('config/denied', `${refused} can be set only in your own ${where}.`, {
        hint: `Use "ken config set --user ${refused} …".`,
      });
    }
  }
}

export async function setsKey(
  files: ConfigFiles,
  { file, standing, path }: Pick<KeyWrite, 'file' | 'standing'> & { readonly path: KeyPath },
): Promise<boolean> {
  return valueAt(parseToml(await ownText(files, file, standing), file), path) !== undefined;
}

/** False when the file does not set the key. */
export async function unsetKey(
  files: ConfigFiles,
  { file, standing, path }: Pick<KeyWrite, 'file' | 'standing'> & { readonly path: KeyPath },
): Promise<boolean> {
  const text = await ownText(files, file, standing);
  const rest = removeFromToml(text, path);
  if (rest === text) return false;
  await files.replace(file, rest, standing, standing === 'authority' ? 0o600 : undefined);
  return true;
}

/** A Fault for a text that would be an invalid config file. */
export function requireValid(text: string, { file, standing }: Pick<KeyWrite, 'file' | 'standing'>): void {
  const change = { op: 'merge', path: [], value: parseToml(text, file) } as const;
  const [problem] = changeProblems(SCHEMA, change);
  if (problem) {
    const message = `${formatKeyPath(problem.path)}: ${problem.message}. Nothing was changed.`;
    throw new Fault('config/bad-value', message, { hint: problem.hint });
  }
  refuseForbidden(change, standing);
}

/** Whether only authority.toml may hold a key. */
export function isAuthorityKey(path: KeyPath): boolean {
  const nodes = path.map((_, depth) => nodeAt(SCHEMA, path.slice(0, depth + 1)));
  return nodes.some((node) => 'kind' in node && node.by === 'authority');
}

/** Whether a change could let something happen that would not happen without it. */
export function widens(change: Change): boolean {
  const requester = { standing: 'workspace', isTrusted: false, current: defaultTree(SCHEMA) } as const;
  return permitted(SCHEMA, change, requester).refusals.length > 0;
}

/** Refuses an authority.toml that others could write to: it must not become the user's by being written again. */
async function ownText(files: ConfigFiles, file: string, standing: LayerStanding): Promise<string> {
  if (standing !== 'authority') return (await files.read(file)) ?? '';
  const read = await files.readOwned(file, 'private');
  if (read?.doubt === undefined) return read?.text ?? '';
  throw new Fault('config/denied', `${file} ${read.doubt}.`, {
    hint: 'Look at what is in it, and remove it or make it yours alone with "chmod 600".',
  });
}

function valueAfter(tree: ReturnType<typeof parseToml>, change: Change): Json {
  if (change.op === 'set') return change.value;
  const node = nodeAt(SCHEMA, change.path);
  if (change.op === 'append' && 'kind' in node && node.kind === 'list') {
    return appended(node, valueAt(tree, change.path), asList(change.value));
  }
  throw new Fault(
    'config/bad-value',
    `${formatKeyPath(change.path)} cannot be written that way into a file.`,
    {
      hint: 'A file cannot hold null. "ken config unset KEY" takes a key out; "ken config set KEY VALUE" sets it.',
    },
  );
}
