/** Layers, low to high → the config in force, and everything that is wrong or was left out on the way. */

import { type LayerStanding, permitted, type RefusedKey } from './authority.ts';
import { applyChange, type Change, changeProblems } from './change.ts';
import { missingKeys } from './check-value.ts';
import { defaultTree, withDefaults } from './defaults.ts';
import { formatKeyPath } from './key-path.ts';
import type { Problem } from './schema/find-node.ts';
import { type Config, SCHEMA } from './schema.ts';
import { nested, type Tree, valueAt } from './tree.ts';

export interface Layer {
  readonly origin: Origin;
  readonly standing: LayerStanding;
  readonly changes: readonly Change[];
}

/** Where words came from: a file, an environment variable, a `--cfg` text, a conversation, a command's flag. */
export interface Origin {
  readonly kind: 'default' | 'file' | 'environment' | 'conversation' | 'assignment' | 'flag';
  /** The file's path, the variable's name, the text, the conversation's id, the flag. */
  readonly name: string;
}

export interface Trouble extends Problem {
  readonly code: 'config/invalid' | 'config/denied';
  readonly origin: Origin;
}

export interface LeftOut extends RefusedKey {
  readonly origin: Origin;
}

export interface Resolution {
  /** Meaningful only without troubles. */
  readonly config: Config;
  readonly troubles: readonly Trouble[];
  /** What was skipped because the workspace is not trusted, or would have raised a limit. */
  readonly leftOut: readonly LeftOut[];
  /** What a conversation says that fits nothing: another version wrote it. The rest of it counts. */
  readonly passedOver: readonly Trouble[];
}

/** `isTrusted` is asked at most once, and only if a workspace says something that needs trust. */
export async function resolveConfig(
  layers: readonly Layer[],
  isTrusted: () => Promise<boolean>,
): Promise<Resolution> {
  const { tree, troubles, leftOut, passedOver } = await foldLayers(layers, isTrusted);
  const missing = missingKeys(SCHEMA, tree, []).map((problem) => invalid(problem, speaker(problem, layers)));
  const config = withDefaults(SCHEMA, tree) as Config;
  return { config, troubles: [...troubles, ...missing], leftOut, passedOver };
}

async function foldLayers(layers: readonly Layer[], isTrusted: () => Promise<boolean>) {
  let tree = defaultTree(SCHEMA);
  let trust: boolean | undefined;
  const troubles: Trouble[] = [];
  const leftOut: LeftOut[] = [];
  const passedOver: Trouble[] = [];
  for (const { origin, standing, changes } of layers) {
    for (const change of changes) {
      const problems = changeProblems(SCHEMA, change);
      const unfit = standing === 'conversation' ? passedOver : troubles;
      unfit.push(...problems.map((problem) => invalid(problem, origin)));
      if (problems.length > 0) continue;
      const asked = { standing, current: tree };
      let verdict = permitted(SCHEMA, change, { ...asked, isTrusted: trust === true });
      if (trust === undefined && standing === 'workspace' && verdict.refusals.some(isAboutTrust)) {
        trust = await isTrusted();
        verdict = permitted(SCHEMA, change, { ...asked, isTrusted: trust });
      }
      for (const refusal of verdict.refusals) {
        if (refusal.need === 'user') troubles.push(denied(refusal, origin));
        else leftOut.push({ ...refusal, origin });
      }
      if (verdict.change) tree = applyChange(SCHEMA, tree, verdict.change);
    }
  }
  return { tree, troubles, leftOut, passedOver };
}

/** The lowest layer that speaks of the table in which a key is missing. */
function speaker(problem: Problem, layers: readonly Layer[]): Origin {
  const speaks = (change: Change) =>
    change.op !== 'unset' && valueAt(said(change), problem.path) !== undefined;
  return layers.find(({ changes }) => changes.some(speaks))?.origin ?? { kind: 'default', name: '' };
}

function said(change: Exclude<Change, { op: 'unset' }>): Tree {
  return nested(change.path, change.value) as Tree;
}

function isAboutTrust({ need }: RefusedKey): boolean {
  return need === 'trusted';
}

function invalid(problem: Problem, origin: Origin): Trouble {
  return { ...problem, origin, code: 'config/invalid' };
}

function denied({ path }: RefusedKey, origin: Origin): Trouble {
  return {
    code: 'config/denied',
    path,
    origin,
    message: `"${formatKeyPath(path)}" can be set only in your own config file`,
    hint: `Use "ken config set --user ${formatKeyPath(path)} …".`,
  };
}
