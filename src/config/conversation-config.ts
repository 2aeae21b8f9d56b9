import type { Json, JsonObject } from '../base/json.ts';
import { permitted } from './authority.ts';
import { type Change, parseChange } from './change.ts';
import { defaultTree, withDefaults } from './defaults.ts';
import { deltaBetween } from './delta.ts';
import { formatKeyPath } from './key-path.ts';
import { leaves } from './origins.ts';
import { type Layer, resolveConfig } from './resolve.ts';
import { type Config, SCHEMA } from './schema.ts';
import { type Tree, withValueAt } from './tree.ts';

/** A conversation may set these parts of the config. The user's own settings must not get into a repository. */
const PARTS = ['kb', 'assistant', 'conversation'];

/** The settings that a new conversation keeps: all in its parts that are not defaults, and none that need trust. */
export function conversationSnapshot(config: Config): JsonObject {
  const changes = deltaBetween(SCHEMA, defaults(), partsOf(config));
  const kept = changes.flatMap((change) => withoutPrivileged(change));
  return kept.reduce<Tree>((tree, change) => {
    if (change.op === 'set' || change.op === 'append') return withValueAt(tree, change.path, change.value);
    return tree;
  }, {});
}

/** The changes of this turn's settings for the conversation, with additions to and removals from lists. */
export function conversationDelta(before: Config, after: Config): readonly Change[] {
  return deltaBetween(SCHEMA, partsOf(before), partsOf(after)).flatMap((change) => withoutPrivileged(change));
}

export interface StoredSettings {
  readonly base: JsonObject | undefined;
  /** The changes of its turns, oldest first. */
  readonly deltas: readonly (readonly Json[])[];
}

/**
 * The conversation's layers: one for what it began with, one for each change. Changes that cannot be parsed, as those of
 * a later version, are left out. What `isGiven` denies may have come with a repository, and may only narrow.
 */
export async function conversationLayers(
  id: string,
  { base, deltas }: StoredSettings,
  isGiven: (settings: Json) => Promise<boolean>,
): Promise<Layer[]> {
  const origin = { kind: 'conversation', name: id } as const;
  const layer = async (settings: Json, changes: readonly Change[]): Promise<Layer[]> => {
    if (changes.length === 0) return [];
    return [{ origin, standing: (await isGiven(settings)) ? 'conversation' : 'foreign', changes }];
  };
  const began = leaves(onlyParts(base ?? {}), []).map(
    ({ path, value }): Change => ({ op: 'set', path, value }),
  );
  const later = deltas.map((delta) => layer([...delta], delta.flatMap(ownChange)));
  return (await Promise.all([layer(base ?? {}, began), ...later])).flat();
}

function ownChange(json: Json): Change[] {
  const change = parseChange(json);
  return change && PARTS.includes(change.path[0] ?? '') ? [change] : [];
}

/** Why settings cannot be the base config of a conversation, one sentence each. */
export async function baseConfigProblems(base: JsonObject): Promise<string[]> {
  const strange = Object.keys(base).filter((key) => !PARTS.includes(key));
  const { problems, skipped, omissions } = await resolveConfig(
    await conversationLayers('', { base, deltas: [] }, async () => true),
    async () => false,
  );
  return [
    ...strange.map((key) => `"${key}" is none of ${PARTS.join(', ')}`),
    ...[...skipped, ...problems].map(({ message }) => message),
    ...omissions.map(({ path }) => `"${formatKeyPath(path)}" cannot be set by a conversation`),
  ];
}

function defaults(): Tree {
  return onlyParts(withDefaults(SCHEMA, defaultTree(SCHEMA)) as Tree);
}

function partsOf(config: Config): Tree {
  return onlyParts(config as Tree);
}

function onlyParts(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([key]) => PARTS.includes(key)));
}

/** The operator's own guard, which a conversation does not carry to another workspace. */
const OWN_GUARD = 'assistant.confirm_tokens';

/** Leaves out what needs trust: tools, servers, commands. */
function withoutPrivileged(change: Change): Change[] {
  if (formatKeyPath(change.path) === OWN_GUARD) return [];
  const requester = { standing: 'conversation', isTrusted: false, current: defaultTree(SCHEMA) } as const;
  const { change: kept } = permitted(SCHEMA, change, requester);
  return kept ? [kept] : [];
}
