/** Writes one key into a config file and keeps its comments. */

import { Fault } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import { type LayerStanding, permitted } from './authority.ts';
import { type Change, changeProblems } from './change.ts';
import { defaultTree } from './defaults.ts';
import { formatKeyPath } from './key-path.ts';
import type { ConfigFiles } from './load.ts';
import { appended, asList } from './merge.ts';
import { nodeAt } from './schema/find-node.ts';
import { SCHEMA } from './schema.ts';
import { setInToml } from './toml/edit-toml.ts';
import { parseToml } from './toml/parse-toml.ts';
import { valueAt } from './tree.ts';

export interface KeyWrite {
  readonly file: string;
  /** The authority of the file. */
  readonly standing: LayerStanding;
  /** A `set` or an `append`; other changes cannot be written to a file. */
  readonly change: Change;
}

/** Returns the new value of the key in the file. */
export async function setKey(files: ConfigFiles, { file, standing, change }: KeyWrite): Promise<Json> {
  const key = formatKeyPath(change.path);
  const [problem] = changeProblems(SCHEMA, change);
  if (problem) throw new Fault('config/bad-value', `${problem.message}.`, { hint: problem.hint });
  const { refusals } = permitted(SCHEMA, change, { standing, isTrusted: true, current: defaultTree(SCHEMA) });
  if (refusals.some(({ need }) => need === 'user')) {
    throw new Fault('config/denied', `${key} can be set only in your own config file.`, {
      hint: `Use "ken config set --user ${key} …".`,
    });
  }
  const text = (await files.read(file)) ?? '';
  const value = valueAfter(parseToml(text, file), change);
  await files.replace(file, setInToml(text, change.path, value), standing);
  return value;
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
      hint: 'Use key=value, key:=JSON or, for a list, key+=value.',
    },
  );
}
