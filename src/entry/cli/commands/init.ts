import { existsSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../../../app.ts';
import type { MadeWorkspace } from '../../../base/places.ts';
import { command } from '../command.ts';

export const init = command({
  name: 'init',
  summary: 'make this directory a workspace',
  description:
    'Writes .ken/ with a commented config, a first topic to write subjects into, and a .gitignore for files that ' +
    'should not be committed. Existing files stay unchanged, so running it again is safe. With --index-repo the whole ' +
    'directory becomes a topic: ken searches its texts and sources where they are, except hidden files and files that ' +
    '.gitignore names. In a git repository, ken offers this at a terminal.',
  examples: ['init', 'init --index-repo', 'init ~/projects/garden'],
  arguments: [
    {
      name: 'directory',
      summary: 'created if it does not exist; the current directory by default',
      complete: 'directories',
    },
  ],

  options: [{ flags: '--index-repo', summary: 'make the whole directory a topic that is searched' }],

  async run({ arguments: [target = '.'], options, terminal, directory, signal, openAnywhere }) {
    // Neither the config of a surrounding workspace nor a broken user config matters here.
    const app = await openAnywhere({ ignoresConfig: true });
    const { workspace: around, places } = app;
    const made = await places.makeWorkspace(path.resolve(directory, target));
    const { root, created, kept } = made;
    const isNew = created.includes(path.join('.ken', 'config.toml'));
    const isIndexed = options.has('index-repo') || (isNew && (await wantsIndex(app, root, signal)));
    if (isIndexed) await indexRepository(app, made);
    if (terminal.json) {
      terminal.printJson({ workspace: root, created, kept });
      return;
    }
    for (const file of created) terminal.print(path.join(root, file));
    if (around && around.root !== root) terminal.note(`It is inside another workspace, ${around.root}.`);
    if (created.length === 0) terminal.note(`${root} is a workspace already.`);
    else terminal.note(`${root} is a workspace. "ken status" shows what is in it.`);
    if (isIndexed) terminal.note('The topic "repo" is the whole directory; "ken search" searches it.');
  },
});

async function wantsIndex(app: App, root: string, signal: AbortSignal): Promise<boolean> {
  if (!existsSync(path.join(root, '.git')) || !(await app.questioner.isThere())) return false;
  const text =
    'Make the whole repository searchable, as the topic "repo"? Files that .gitignore names stay out.';
  const question = { id: 'index', text, answerType: 'boolean', default: true } as const;
  return (await app.questioner.ask('ken', question, signal)) === true;
}

/** Leaves a topic of that name as it is. */
async function indexRepository(app: App, { root, home }: MadeWorkspace): Promise<void> {
  const file = path.join(home, 'config.toml');
  const { setKey } = await import('../../../config/set-key.ts');
  const { parseToml } = await import('../../../config/toml/parse-toml.ts');
  const { valueAt } = await import('../../../config/tree.ts');
  const tree = parseToml((await app.configFiles.read(file)) ?? '', file);
  if (valueAt(tree, ['kb', 'topic', 'repo']) !== undefined) return;
  const values = {
    title: `Files of ${path.basename(root)}`,
    introduction: 'Every text and source file of this repository. Search it; there is too much to list.',
    subjects: '.',
    gitignore: true,
  };
  for (const [key, value] of Object.entries(values)) {
    const change = { op: 'set', path: ['kb', 'topic', 'repo', key], value } as const;
    await setKey(app.configFiles, { file, standing: 'workspace', change });
  }
}
