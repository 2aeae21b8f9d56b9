import path from 'node:path';
import { command } from '../command.ts';

export const init = command({
  name: 'init',
  summary: 'make this directory a workspace',
  description:
    'Writes .ken/ with a commented config, a first topic to write subjects into, and a .gitignore for files that ' +
    'should not be committed. Existing files stay unchanged, so running it again is safe.',
  examples: ['init', 'init ~/projects/garden'],
  arguments: [
    {
      name: 'directory',
      summary: 'created if it does not exist; the current directory by default',
      complete: 'directories',
    },
  ],

  async run({ arguments: [target = '.'], terminal, directory, openAnywhere }) {
    // Neither the config of a surrounding workspace nor a broken user config matters here.
    const { workspace: around, places } = await openAnywhere({ ignoresConfig: true });
    const made = await places.makeWorkspace(path.resolve(directory, target));
    const { root, created, kept } = made;
    if (terminal.json) {
      terminal.printJson({ workspace: root, created, kept });
      return;
    }
    for (const file of created) terminal.print(path.join(root, file));
    if (around && around.root !== root) terminal.note(`It is inside another workspace, ${around.root}.`);
    if (created.length === 0) terminal.note(`${root} is a workspace already.`);
    else terminal.note(`${root} is a workspace. "ken status" shows what is in it.`);
  },
});
