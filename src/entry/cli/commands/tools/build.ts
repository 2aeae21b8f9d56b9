import path from 'node:path';
import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { command, type Invocation } from '../../command.ts';

export const buildTool = command({
  name: 'build',
  summary: 'build a tool into a Wasm component',
  description:
    'Compiles the tool in .ken/tools/NAME into .ken/tools/NAME.wasm and checks that it fits the contract. The ' +
    'compilers that its package.json names are installed with npm when they are missing, and they are run: build only ' +
    'what you have looked at.',
  examples: ['tools build hello', 'tools build .ken/tools/hello'],
  arguments: [{ name: 'tool', summary: 'the name of a tool, or its directory', required: true }],
  options: [{ flags: '--no-install', summary: 'install nothing' }],

  async run(invocation) {
    const { options, terminal, open } = invocation;
    const [given = ''] = invocation.arguments;
    const app = await open();
    const isName = !given.includes('/');
    const directory = isName
      ? path.join(app.workspace.root, '.ken/tools', given)
      : path.resolve(invocation.directory, given);
    const output = `${directory}.wasm`;
    try {
      await app.toolAuthor.build(directory, output);
    } catch (error) {
      const isMissing = error instanceof Fault && error.code === 'tools/no-compiler';
      if (!isMissing || options.has('no-install')) throw error;
      await install(app, directory, invocation);
      await app.toolAuthor.build(directory, output);
    }
    const { sha256, sizeBytes } = await app.components.check({ file: output }, invocation.signal);
    const file = path.relative(app.workspace.root, output);
    if (terminal.json) terminal.printJson({ file, sha256, size_bytes: sizeBytes });
    else terminal.note(`${file} is built (${sizeBytes} bytes). Try it with "ken tools run ${file} '{…}'".`);
  },
});

const INSTALL_TIMEOUT_MS = 600_000;

async function install(app: WorkspaceApp, directory: string, { terminal, environment, signal }: Invocation) {
  terminal.note('Installing the compilers that package.json names (npm install) …');
  const result = await app.processes.run(
    {
      command: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      directory,
      environment: withoutAbsent(environment),
      limits: { timeoutMs: INSTALL_TIMEOUT_MS, stdoutBytes: 65_536, stderrBytes: 65_536 },
    },
    signal,
  );
  if (result.aborted) throw new Fault('process/interrupted', 'The compilers were not installed.');
  if (result.exitCode !== 0) {
    throw new Fault('process/failed', `npm could not install the compilers:\n${result.stderr.trimEnd()}`, {
      hint: `Look at ${directory}/package.json, and whether npm can reach its registry.`,
    });
  }
}

function withoutAbsent(environment: Invocation['environment']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
