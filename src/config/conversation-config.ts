/** The settings a conversation carries along: what it began with, and what changed since. */

import type { JsonObject } from '../base/json.ts';
import { permitted } from './authority.ts';
import { type Change, parseChange } from './change.ts';
import { defaultTree, withDefaults } from './defaults.ts';
import { deltaBetween } from './delta.ts';
import { formatKeyPath } from './key-path.ts';
import { leaves } from './origins.ts';
import { type Layer, resolveConfig } from './resolve.ts';
import { type Config, SCHEMA } from './schema.ts';
import { type Tree, withValueAt } from './tree.ts';

/** The parts of the config that a conversation has a say in; nothing of the user's own gets into a repository. */
const PARTS = ['kb', 'assistant', 'conversation'];

/** What a new conversation keeps: everything in its parts that is not a default, and nothing that could run. */
export function conversationSnapshot(config: Config): JsonObject {
  const changes = deltaBetween(SCHEMA, defaults(), partsOf(config));
  const kept = changes.flatMap((change) => harmless(change));
  return kept.reduce<Tree>((tree, change) => {
    if (change.op === 'set' || change.op === 'append') return withValueAt(tree, change.path, change.value);
    return tree;
  }, {});
}

/** What this turn's settings change for the conversation, list additions and removals included. */
export function conversationDelta(before: Config, after: Config): readonly Change[] {
  return deltaBetween(SCHEMA, partsOf(before), partsOf(after)).flatMap((change) => harmless(change));
}

/** The conversation's layers. What was written by someone else, or by a later version, counts as far as it fits. */
export function conversationLayers(
  id: string,
  base: JsonObject | undefined,
  deltas: readonly (readonly unknown[])[],
): Layer[] {
  const origin = { kind: 'conversation', name: id } as const;
  const began = leaves(onlyParts(base ?? {}), []).map(
    ({ path, value }): Change => ({ op: 'set', path, value }),
  );
  const changed = deltas.flat().flatMap((change) => {
    const parsed = parseChange(change);
    return parsed && PARTS.includes(parsed.path[0] ?? '') ? [parsed] : [];
  });
  return [{ origin, standing: 'conversation', changes: [...began, ...changed] }];
}

/** What stands in the way of settings as those that a conversation begins with, a sentence each. */
export async function beginningProblems(base: JsonObject): Promise<string[]> {
  const strange = Object.keys(base).filter((key) => !PARTS.includes(key));
  const { troubles, passedOver, leftOut } = await resolveConfig(
    conversationLayers('', base, []),
    async () => false,
  );
  return [
    ...strange.map((key) => `"${key}" is none of ${PARTS.join(', ')}`),
    ...[...passedOver, ...troubles].map(({ message }) => message),
    ...leftOut.map(({ path }) => `"${formatKeyPath(path)}" cannot be set by a conversation`),
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

/** A conversation never carries what needs trust: tools, servers, commands. */
function harmless(change: Change): Change[] {
  const asked = { standing: 'conversation', isTrusted: false, current: defaultTree(SCHEMA) } as const;
  const { change: kept } = permitted(SCHEMA, change, asked);
  return kept ? [kept] : [];
}
