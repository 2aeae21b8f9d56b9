import path from 'node:path';
import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { ComponentFacts, ComponentSource } from '../../../../domain/tools/component-host.ts';
import { componentToCheck } from '../../../../domain/tools/components/component-source.ts';
import {
  isOfServer,
  type ServerToolSettings,
  type ToolSettings,
  toolSettings,
} from '../../../../domain/tools/tool-settings.ts';
import type { OfferStanding } from '../../../../domain/turns/tools/offered-tools.ts';
import { command, type Invocation } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';

export const checkComponent = command({
  name: 'check',
  summary: 'check whether a file is a tool: a component that fits the contract',
  description:
    'The file is not executed. Exit 6 when it is not a tool. Given the name of a tool, it checks the tool’s component; ' +
    'for a tool of an MCP server it starts the server and checks whether the tool is still the one you accepted.',
  examples: ['tools check .ken/tools/hello.wasm', 'tools check hello --json', 'tools check issues'],
  arguments: [
    {
      name: 'file',
      summary: 'a .wasm file, or the name of a component or a tool of an MCP server',
      required: true,
      complete: 'tools',
    },
  ],

  async run(invocation) {
    const { terminal, signal, openAnywhere } = invocation;
    const [given = ''] = invocation.arguments;
    const app = await openAnywhere();
    const named = toolSettings(app.config.conversation.tools).find(({ name }) => name === given);
    if (named && isOfServer(named)) return checkOffer(invocation, named);
    const { file, component } = whichComponent(invocation, app, named);
    try {
      tell(terminal, file, await app.components.check(component, signal));
      return 0;
    } catch (error) {
      if (!(error instanceof Fault) || PASSED_ON.has(error.code)) throw error;
      const { code, message, hint } = error;
      if (terminal.json)
        terminal.printJson({ file, fits: false, problem: { code, message, hint: hint ?? null } });
      else terminal.print([`${file} is not a tool. ${message}`, hint].filter(Boolean).join('\n'));
      return 6;
    }
  },
});

/** Errors that do not concern the file's content. */
const PASSED_ON: ReadonlySet<string> = new Set(['files/unreadable', 'wasm/not-found', 'tools/cancelled']);

function whichComponent(
  { arguments: [given = ''], directory }: Invocation,
  { workspace }: Pick<App, 'workspace'>,
  named: ToolSettings | undefined,
): { file: string; component: ComponentSource } {
  if (!workspace || named?.source.kind !== 'wasm')
    return { file: given, component: { file: path.resolve(directory, given) } };
  const { file } = named.source.wasm;
  return { file, component: componentToCheck(workspace.root, named.name, file) };
}

async function checkOffer(
  { terminal, signal, open }: Invocation,
  settings: ServerToolSettings,
): Promise<0 | 6> {
  const app = await open();
  const { name: tool, source } = settings;
  const { offeredTool } = await import('../../../../domain/turns/tools/offered-tools.ts');
  const { standing } = await offeredTool(app, { ...source, workspace: app.workspace.root }, signal);
  if (terminal.json) terminal.printJson({ tool, fits: standing === 'accepted', standing });
  else terminal.print(`${tool} ${STANDINGS[standing]}.`);
  return standing === 'accepted' ? 0 : 6;
}

const STANDINGS: Record<OfferStanding, string> = {
  accepted: 'is the tool you accepted',
  changed: 'has changed since you accepted it; ken asks you again at its next use',
  new: 'has not been accepted yet; ken asks you at its first use',
};

function tell(
  terminal: Terminal,
  file: string,
  { sha256, sizeBytes, imports, functions }: ComponentFacts,
): void {
  const names = functions.map(({ name }) => name);
  if (terminal.json) {
    terminal.printJson({ file, fits: true, sha256, size_bytes: sizeBytes, imports, functions: names });
    return;
  }
  if (names.length > 0) terminal.print(`${file} has functions of its own: ${names.join(', ')}.`);
  else terminal.print(`${file} fits the contract ken:tool@0.1.0.`);
  terminal.print(`${sizeBytes} bytes, sha-256 ${sha256}`);
  terminal.print(`It uses:\n${imports.map((name) => `  ${name}`).join('\n')}`);
}
