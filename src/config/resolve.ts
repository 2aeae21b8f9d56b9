import { type LayerStanding, permitted, type RefusedKey } from './authority.ts';
import { applyChange, type Change, changeProblems } from './change.ts';
import { missingKeys } from './check-value.ts';
import { defaultTree, withDefaults } from './defaults.ts';
import { formatKeyPath } from './key-path.ts';
import type { Problem } from './schema/find-node.ts';
import { type Config, SCHEMA } from './schema.ts';
import { nested, valueAt, withValueAt } from './tree.ts';

export interface Layer {
  readonly origin: Origin;
  readonly standing: LayerStanding;
  readonly changes: readonly Change[];
}

/** The origin of a layer: a file, an environment variable, a `--cfg` text, a conversation, a command's flag. */
export interface Origin {
  readonly kind: 'default' | 'file' | 'environment' | 'conversation' | 'assignment' | 'flag';
  /** The file's path, the variable's name, the text, the conversation's id, the flag. */
  readonly name: string;
}

export interface ConfigProblem extends Problem {
  readonly code: 'config/invalid' | 'config/denied';
  readonly origin: Origin;
}

export interface Omission extends RefusedKey {
  readonly origin: Origin;
}

export interface Resolution {
  /** Valid only if there are no problems. */
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
  /** Keys that need a trusted workspace, or would have raised a limit. */
  readonly omissions: readonly Omission[];
  /** Settings of a conversation that do not fit the schema: another version wrote them. The others apply. */
  readonly skipped: readonly ConfigProblem[];
}

/** Calls `isTrusted` at most once, and only if a workspace sets a key that needs trust. */
export async function resolveConfig(
  layers: readonly Layer[],
  isTrusted: () => Promise<boolean>,
): Promise<Resolution> {
  const { tree, problems, omissions, skipped } = await foldLayers(layers, isTrusted);
  const missing = missingKeys(SCHEMA, tree, []).map((problem) =>
    invalid(problem, originOfTable(problem, layers)),
  );
  const [unfit, mistakes] = partition(missing, ({ origin }) => origin.kind === 'conversation');
  const whole = unfit.reduce((left, { path }) => withValueAt(left, path, undefined), tree);
  const config = withDefaults(SCHEMA, whole) as Config;
  return { config, problems: [...problems, ...mistakes], omissions, skipped: [...skipped, ...unfit] };
}

function partition<T>(all: readonly T[], is: (each: T) => boolean): readonly [T[], T[]] {
  return [all.filter(is), all.filter((each) => !is(each))];
}

async function foldLayers(layers: readonly Layer[], isTrusted: () => Promise<boolean>) {
  let tree = defaultTree(SCHEMA);
  // The files of a workspace may correct each other; together they may only narrow what is below them.
  let belowWorkspace = tree;
  let trust: boolean | undefined;
  const problems: ConfigProblem[] = [];
  const omissions: Omission[] = [];
  const skipped: ConfigProblem[] = [];
  for (const { origin, standing, changes } of layers) {
    for (const change of changes) {
      const mistakes = changeProblems(SCHEMA, change);
      const unfit = origin.kind === 'conversation' ? skipped : problems;
      // One by one: a file may have hundreds of thousands.
      for (const problem of mistakes) unfit.push(invalid(problem, origin));
      if (mistakes.length > 0) continue;
      const requester = { standing, current: standing === 'workspace' ? belowWorkspace : tree };
      let verdict = permitted(SCHEMA, change, { ...requester, isTrusted: trust === true });
      if (
        trust === undefined &&
        standing === 'workspace' &&
        verdict.refusals.some(({ need }) => need === 'trusted')
      ) {
        trust = await isTrusted();
        verdict = permitted(SCHEMA, change, { ...requester, isTrusted: trust });
      }
      for (const refusal of verdict.refusals) {
        if (isDenied(refusal, standing)) problems.push(denied(refusal, origin));
        else omissions.push({ ...refusal, origin });
      }
      if (verdict.change) tree = applyChange(SCHEMA, tree, verdict.change);
      if (standing !== 'workspace') belowWorkspace = tree;
    }
  }
  return { tree, problems, omissions, skipped };
}

/** The lowest layer that sets something in the table in which a key is missing. */
function originOfTable(problem: Problem, layers: readonly Layer[]): Origin {
  const isAbout = (change: Change) =>
    change.op !== 'unset' && valueAt(nested(change.path, change.value), problem.path) !== undefined;
  return layers.find(({ changes }) => changes.some(isAbout))?.origin ?? { kind: 'default', name: '' };
}

function invalid(problem: Problem, origin: Origin): ConfigProblem {
  return { ...problem, origin, code: 'config/invalid' };
}

/** The user's own file may hold keys that moved to authority.toml; they are left out with a warning. */
function isDenied({ need }: RefusedKey, standing: LayerStanding): boolean {
  return need === 'user' || need === 'misplaced' || (need === 'authority' && standing !== 'user');
}

function denied({ path, need }: RefusedKey, origin: Origin): ConfigProblem {
  const key = formatKeyPath(path);
  if (need === 'misplaced') {
    return {
      code: 'config/denied',
      path,
      origin,
      message: `"${key}" does not belong into authority.toml`,
      hint: 'Move it to your own config.toml; authority.toml holds approvals, mcp.trusted_clients and net.allow.',
    };
  }
  return {
    code: 'config/denied',
    path,
    origin,
    message: `"${key}" can be set only in your own ${need === 'user' ? 'config file' : 'authority.toml'}`,
    hint: `Use "ken config set --user ${key} …".`,
  };
}
