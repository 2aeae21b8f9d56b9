import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { formatKeyPath, type KeyPath, parseKeyPath } from '../../../../config/key-path.ts';
import { maskSecrets } from '../../../../config/mask-secrets.ts';
import { leaves, type Origins, originsOf } from '../../../../config/origins.ts';
import type { Origin } from '../../../../config/resolve.ts';
import { isProblem, nodeAt } from '../../../../config/schema/find-node.ts';
import { SCHEMA } from '../../../../config/schema.ts';
import { tomlValue } from '../../../../config/toml/format-toml.ts';
import { nested, type Tree, valueAt } from '../../../../config/tree.ts';
import { command } from '../../command.ts';

export const showConfig = command({
  name: 'show',
  summary: 'print the effective configuration',
  description: 'Prints one key a line, as TOML. With --origin each line says which layer it came from.',
  examples: ['config show', 'config show kb.topic --origin', 'config show assistant.model --json'],
  arguments: [{ name: 'key', summary: 'a key or the beginning of one', complete: 'config-keys' }],
  options: [{ flags: '--origin', summary: 'show where each value comes from' }],

  async run({ arguments: [key], options, terminal, openAnywhere }) {
    const path = key === undefined ? [] : knownPath(key);
    const app = await openAnywhere();
    const origins = options.has('origin')
      ? originsOf(app.settings.layers, app.settings.isTrusted)
      : undefined;
    const shown = valueAt(tree(app), path);
    if (shown === undefined) throw notSet(path);
    if (terminal.json) terminal.printJson(asJson(nested(path, shown) as Tree, origins));
    else for (const line of asLines(app, path, origins)) terminal.print(line);
  },
});

export const getConfig = command({
  name: 'get',
  summary: 'print the value of one key, for scripts',
  description:
    'Prints text as it is and anything else as JSON. "ken config show" prints several keys, and their origins.',
  examples: ['config get assistant.model', 'config get kb.topic.project.learned'],
  arguments: [{ name: 'key', summary: 'the key', required: true, complete: 'config-keys' }],

  async run({ arguments: [key = ''], terminal, openAnywhere }) {
    const path = knownPath(key);
    const value = valueAt(tree(await openAnywhere()), path);
    if (value === undefined) throw notSet(path);
    if (terminal.json) terminal.printJson({ key: formatKeyPath(path), value });
    else terminal.print(typeof value === 'string' ? value : JSON.stringify(value));
  },
});

function tree(app: App): Tree {
  return maskSecrets(app.config as Tree, []) as Tree;
}

/** A usage Fault with a suggestion when there is no such key. */
export function knownPath(key: string): KeyPath {
  const path = parseKeyPath(key);
  const node = nodeAt(SCHEMA, path);
  if (!isProblem(node)) return path;
  throw new Fault('cli/usage', `${node.message}.`, { hint: node.hint });
}

function notSet(path: KeyPath): Fault {
  return new Fault('config/not-found', `${formatKeyPath(path)} is not set and has no default.`, {
    hint: `Set it with "ken config set ${formatKeyPath(path)} …".`,
  });
}

function asJson(config: Tree, origins: Origins | undefined): JsonObject {
  if (!origins) return { config };
  const named = leaves(config, []).map(({ path }) => {
    const key = formatKeyPath(path);
    const origin = origins.get(key) ?? DEFAULT;
    return [key, isMany(origin) ? origin.map(originName) : originName(origin)];
  });
  return { config, origins: Object.fromEntries(named) };
}

function asLines(app: App, path: KeyPath, origins: Origins | undefined): string[] {
  const rows = leaves(valueAt(tree(app), path), path).map(({ path: leaf, value }) => {
    const origin = origins?.get(formatKeyPath(leaf)) ?? DEFAULT;
    const names = isMany(origin) ? [...new Set(origin.map(originName))] : [originName(origin)];
    return { line: `${formatKeyPath(leaf)} = ${tomlValue(value)}`, from: names.join(', ') || DEFAULT.name };
  });
  return rows.map(({ line, from }) => (origins ? `${line}  # ${from}` : line));
}

const DEFAULT: Origin = { kind: 'default', name: 'default' };

function originName({ kind, name }: Origin): string {
  return kind === 'assignment' ? `--cfg ${name}` : name;
}

function isMany(origin: Origin | readonly Origin[]): origin is readonly Origin[] {
  return Array.isArray(origin);
}
