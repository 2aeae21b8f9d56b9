import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { shellWord } from '../../../../base/shell-words.ts';
import { command } from '../../command.ts';

export const buildTool = command({
  name: 'build',
  summary: 'build a tool into a Wasm component',
  description:
    'Compiles the tool in .ken/tools/NAME into .ken/tools/NAME.wasm and checks that it is a tool. The same source ' +
    'gives the same bytes. The compilers are installed once, for all tools, with npm; they run without your ' +
    'environment. A build can put any file that you can read into the component, so ken asks first in a workspace ' +
    'that you have never trusted.',
  examples: ['tools build hello', 'tools build hello --yes', 'tools build .ken/tools/hello'],
  arguments: [{ name: 'tool', summary: 'the name of a tool, or its directory', required: true }],
  options: [
    { flags: '--no-install', summary: 'install nothing' },
    { flags: '-y, --yes', summary: 'do not ask' },
  ],

  async run(invocation) {
    const { options, terminal, signal, open } = invocation;
    const [given = ''] = invocation.arguments;
    const app = await open();
    const isName = !given.includes('/');
    const directory = isName
      ? path.join(app.workspace.root, '.ken/tools', given)
      : path.resolve(invocation.directory, given);
    const output = `${directory}.wasm`;
    if (!options.has('yes') && !(await isAllowed(app, given, signal))) {
      terminal.note('Nothing was built.');
      return;
    }
    try {
      await app.toolAuthor.build(directory, output);
    } catch (error) {
      const isMissing = error instanceof Fault && error.code === 'tools/no-compiler';
      if (!isMissing || options.has('no-install')) throw error;
      terminal.note('Installing the compilers for all tools (npm ci) …');
      await app.toolAuthor.installCompilers(directory, signal);
      await app.toolAuthor.build(directory, output);
    }
    const { sha256, sizeBytes } = await app.components.check({ file: output }, signal);
    const file = path.relative(app.workspace.root, output);
    if (terminal.json) terminal.printJson({ file, sha256, size_bytes: sizeBytes });
    else
      terminal.note(
        `${file} is built (${sizeBytes} bytes). Try it with "ken tools run ${shellWord(file)} '{…}'".`,
      );
  },
});

/** Asks in a workspace that was never trusted: what is built there may be the work of others. */
async function isAllowed(app: WorkspaceApp, tool: string, signal: AbortSignal): Promise<boolean> {
  const { root } = app.workspace;
  if ((await app.trust.get(root)) !== undefined) return true;
  if (!(await app.questioner.isThere())) {
    throw new Fault(
      'cli/usage',
      `There is no terminal to ask whether to build ${tool}: you have never trusted this workspace.`,
      { hint: 'Look at its sources, then add --yes.' },
    );
  }
  const text = `You have never trusted ${root}.\nBuild ${tool}, which is part of it?`;
  const question = { id: 'build', text, answerType: 'boolean', default: false } as const;
  return (await app.questioner.ask('ken', question, signal)) === true;
}
