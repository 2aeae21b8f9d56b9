import path from 'node:path';
import type { App } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { ComponentFacts } from '../../../../domain/tools/component-host.ts';
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
  summary: 'say whether a file is a tool: a component that fits the contract',
  description:
    'Nothing of the file is executed. Ends with code 6 when it is no tool. Given the name of a tool, it looks at its ' +
    'component; of a tool of an MCP server it starts the server and says whether the tool is still what you accepted.',
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
    const { file, path: at } = whichFile(invocation, app.workspace, named);
    try {
      tell(terminal, file, await app.components.check({ file: at }, signal));
      return undefined;
    } catch (error) {
      if (!(error instanceof Fault) || PASSED_ON.has(error.code)) throw error;
      const { code, message, hint } = error;
      if (terminal.json)
        terminal.printJson({ file, fits: false, problem: { code, message, hint: hint ?? null } });
      else terminal.print([`${file} is no tool. ${message}`, hint].filter(Boolean).join('\n'));
      return 6;
    }
  },
});

/** What says nothing about the file. */
const PASSED_ON: ReadonlySet<string> = new Set(['files/unreadable', 'wasm/not-found', 'tools/cancelled']);

/** That of the tool which was named, or else the one that was given. */
function whichFile(
  { arguments: [given = ''], directory }: Invocation,
  workspace: App['workspace'],
  named: ToolSettings | undefined,
): { file: string; path: string } {
  if (!workspace || named?.source.kind !== 'wasm')
    return { file: given, path: path.resolve(directory, given) };
  const { file } = named.source.wasm;
  return { file, path: path.resolve(workspace.root, file) };
}

/** Whether it may be used without asking. */
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
  accepted: 'is what you accepted',
  changed: 'has changed since you accepted it; you are asked again when it is next wanted',
  new: 'has not been accepted yet; you are asked when it is first wanted',
};

function tell(terminal: Terminal, file: string, { sha256, sizeBytes, imports }: ComponentFacts): void {
  if (terminal.json) {
    terminal.printJson({ file, fits: true, sha256, size_bytes: sizeBytes, imports });
    return;
  }
  terminal.print(`${file} fits the contract ken:tool@0.1.0.`);
  terminal.print(`${sizeBytes} bytes, sha-256 ${sha256}`);
  terminal.print(`It uses:\n${imports.map((name) => `  ${name}`).join('\n')}`);
}
