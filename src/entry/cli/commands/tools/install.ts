import path from 'node:path';
import { command } from '../../command.ts';

export const installTool = command({
  name: 'install',
  summary: 'keep a component as a tool of your own, for all workspaces',
  description:
    'Checks the file and copies it to your data directory under the digest of its bytes. Your own configuration file ' +
    'then names it by that digest, and no workspace can put other bytes in its place. Nothing is executed.',
  examples: ['tools install hello.wasm'],
  arguments: [{ name: 'file', summary: 'a .wasm file', required: true }],

  async run({ arguments: [given = ''], directory, terminal, signal, openAnywhere }) {
    const app = await openAnywhere();
    const file = path.resolve(directory, given);
    const { sha256 } = await app.components.check({ file }, signal);
    const installed = await app.toolAuthor.install(file, sha256);
    const name = path.basename(file, '.wasm');
    if (terminal.json) terminal.printJson({ file: given, sha256, installed });
    else {
      terminal.note(`${given} is installed. Your own configuration file can name it:`);
      terminal.print(
        `[conversation.tools.${name}]\nwasm = "sha256:${sha256}"\ndescription = "…"\naccess = "none"`,
      );
    }
  },
});
