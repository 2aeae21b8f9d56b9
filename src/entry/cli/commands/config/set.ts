import path from 'node:path';
import type { App } from '../../../../app.ts';
import type { DefinitionSource } from '../../../../base/approvals.ts';
import { Fault } from '../../../../base/fault.ts';
import { assign } from '../../../../config/assignment.ts';
import { formatKeyPath, parseKeyPath } from '../../../../config/key-path.ts';
import { maskSecrets } from '../../../../config/mask-secrets.ts';
import { tomlValue } from '../../../../config/toml/format-toml.ts';
import { command, type OptionSpec } from '../../command.ts';
import type { Options } from '../../options.ts';
import { whileTrusted } from '../while-trusted.ts';

const FILES = [
  { flags: '--user', summary: 'write your own config file' },
  { flags: '--local', summary: 'write .ken/config.local.toml' },
] as const satisfies readonly OptionSpec[];

export const setConfig = command({
  name: 'set',
  summary: 'write a key into a config file, keeping its comments',
  description:
    'Writes into the workspace’s .ken/config.toml; with --user into your own file, with --local into the ' +
    'workspace’s config.local.toml, which is not committed. With --user, a setting that permits more than before ' +
    'needs you at a terminal. approvals, mcp.trusted_clients and net.allow go to authority.toml in your data ' +
    'directory.',
  examples: [
    'config set assistant.name ada',
    "config set --append kb.topic.project.learned 'maintainers/*'",
    'config set --user --parse approvals.expires_hours 48',
  ],
  arguments: [
    { name: 'key', summary: 'the key', required: true, complete: 'config-keys' },
    { name: 'value', summary: 'its value, read by the type of the key', required: true },
  ],
  options: [
    ...FILES,
    { flags: '--append', summary: 'add the value to a list' },
    { flags: '--parse', summary: 'read the value as JSON' },
  ],

  async run({ arguments: [key = '', value = ''], options, terminal, openAnywhere }) {
    requireOneFile(options);
    const change = assign({
      path: parseKeyPath(key),
      value,
      isJson: options.has('parse'),
      isAppend: options.has('append'),
    });
    const app = await openAnywhere({ toleratesTrouble: true });
    // Loaded here: it imports a full TOML parser, which the other subcommands do not need.
    const { isAuthorityKey, setKey, widens } = await import('../../../../config/set-key.ts');
    const target = targetFile(app, options, isAuthorityKey(change.path));
    if (target.standing !== 'workspace' && widens(change)) {
      const { requireOperator } = await import('../../../../domain/approvals/operator/operator-presence.ts');
      await requireOperator(app, `Setting ${formatKeyPath(change.path)}`);
    }
    const write = () => setKey(app.configFiles, { ...target, change });
    const written = maskSecrets(
      app.workspace && target.standing === 'workspace'
        ? await whileTrusted(app, app.workspace.root, target.file, write)
        : await whileSigned(app, target.file, write, formatKeyPath(change.path)),
      change.path,
    );
    if (terminal.json)
      terminal.printJson({ file: target.file, key: formatKeyPath(change.path), value: written });
    else terminal.note(`${target.file}: ${formatKeyPath(change.path)} = ${tomlValue(written)}`);
  },
});

export const unsetConfig = command({
  name: 'unset',
  summary: 'remove a key from a config file, keeping its comments',
  description:
    'Removes the key from the workspace’s .ken/config.toml; with --user from your own file, which needs you at a ' +
    'terminal; with --local from config.local.toml. The key then has the value of the layer below, or its default.',
  examples: ['config unset assistant.name', 'config unset --local assistant.model'],
  arguments: [
    { name: 'key', summary: 'the key, or a table of keys', required: true, complete: 'config-keys' },
  ],
  options: FILES,

  async run({ arguments: [given = ''], options, terminal, openAnywhere }) {
    requireOneFile(options);
    const key = parseKeyPath(given);
    const app = await openAnywhere({ toleratesTrouble: true });
    const { isAuthorityKey, unsetKey } = await import('../../../../config/set-key.ts');
    const target = targetFile(app, options, isAuthorityKey(key));
    const isRemoved = await changed(app, target, `Removing ${given}`, () =>
      unsetKey(app.configFiles, { ...target, path: key }),
    );
    if (!isRemoved) {
      (await import('./show.ts')).knownPath(given);
      throw new Fault('config/not-found', `${target.file} does not set ${formatKeyPath(key)}.`, {
        hint: `"ken config show ${formatKeyPath(key)} --origin" says which file does.`,
      });
    }
    if (terminal.json) terminal.printJson({ file: target.file, key: formatKeyPath(key) });
    else terminal.note(`${target.file} no longer sets ${formatKeyPath(key)}.`);
  },
});

export const editConfig = command({
  name: 'edit',
  summary: 'edit a config file in your editor',
  description:
    'Opens the workspace’s .ken/config.toml; with --user your own file, which needs you at a terminal; with --local ' +
    'config.local.toml. A file with mistakes is not saved.',
  examples: ['config edit', 'config edit --user'],
  options: FILES,

  async run({ options, terminal, openAnywhere }) {
    requireOneFile(options);
    const app = await openAnywhere({ toleratesTrouble: true });
    const target = targetFile(app, options, false);
    const before = (await app.configFiles.read(target.file)) ?? '';
    const after = await app.editor.edit(before, path.basename(target.file));
    if (after === undefined)
      throw new Fault('process/failed', 'The editor ended with an error; nothing was changed.');
    if (after !== before) {
      const { requireValid } = await import('../../../../config/set-key.ts');
      requireValid(after, target);
      await changed(app, target, `Editing ${target.file}`, () =>
        app.configFiles.replace(target.file, after, target.standing),
      );
    }
    if (terminal.json) terminal.printJson({ file: target.file, changed: after !== before });
    else terminal.note(after === before ? 'Nothing was changed.' : `${target.file} was changed.`);
  },
});

/** The operator alone changes the user's files; a workspace stays as trusted as it was. */
async function changed<Result>(
  app: App,
  { file, standing }: ReturnType<typeof targetFile>,
  what: string,
  write: () => Promise<Result>,
): Promise<Result> {
  if (app.workspace && standing === 'workspace') return whileTrusted(app, app.workspace.root, file, write);
  const { requireOperator } = await import('../../../../domain/approvals/operator/operator-presence.ts');
  await requireOperator(app, what);
  return whileSigned(app, file, write);
}

function requireOneFile(options: Options<'user' | 'local', never>): void {
  if (options.has('user') && options.has('local'))
    throw new Fault('cli/usage', '--user and --local exclude each other.');
}

/**
 * Changes a file of the operator's own. Each setting in it that permits more and is another afterwards, or is the one
 * that was `named`, is logged and, while approvals are locked, signed.
 */
async function whileSigned<Result>(
  app: App,
  file: string,
  write: () => Promise<Result>,
  named?: string,
): Promise<Result> {
  const before = await settingsIn(app, file);
  const result = await write();
  const after = await settingsIn(app, file);
  const isNamed = (key: string) =>
    named !== undefined && (key === named || key.startsWith(`${named}.`) || named.startsWith(`${key}.`));
  const changed = [...after.keys()].filter((key) => before.get(key) !== after.get(key) || isNamed(key));
  const removed = [...before.keys()].filter((key) => !after.has(key));
  if (changed.length + removed.length === 0) return result;
  const { signSettings } = await import('../../../../domain/approvals/lock/own-settings.ts');
  const decided = { at: app.clock.now(), by: await app.operator.name(), through: 'terminal', digest: null };
  for (const subject of changed) await app.decisionLog.append({ act: 'set', subject, ...decided });
  for (const subject of removed) await app.decisionLog.append({ act: 'unset', subject, ...decided });
  await signSettings(app, (of, setting) => of === file && changed.includes(setting.key));
  return result;
}

/** Values of the settings in a file that permit more, by key; none of files that cannot be read. */
async function settingsIn({ ownSettings }: App, file: string): Promise<ReadonlyMap<string, string>> {
  const sources = await ownSettings.all().catch((error: unknown): readonly DefinitionSource[] => {
    if (error instanceof Fault) return [];
    throw error;
  });
  const definitions = sources.filter((source) => source.file === file).flatMap((each) => each.definitions);
  return new Map(definitions.map(({ key, value }) => [key, value]));
}

function targetFile(app: App, options: Options<'user' | 'local', never>, isAuthority: boolean) {
  if (options.has('user') && isAuthority) {
    return { file: path.join(app.directories.data, 'authority.toml'), standing: 'authority' as const };
  }
  if (options.has('user')) {
    return { file: path.join(app.directories.config, 'config.toml'), standing: 'user' as const };
  }
  if (!app.workspace) {
    throw new Fault('workspace/not-found', 'There is no workspace here or in any directory above.', {
      hint: 'Run "ken init" to make one, or use --user to write your own config file.',
    });
  }
  const name = options.has('local') ? 'config.local.toml' : 'config.toml';
  return { file: path.join(app.workspace.home, name), standing: 'workspace' as const };
}
