import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { ToolPin } from '../../../../domain/approvals/tool-pin.ts';
import type { Tool } from '../../../../domain/tools/tool.ts';
import type { ToolOrigin, ToolSettings } from '../../../../domain/tools/tool-settings.ts';
import { assistantKnowledge } from '../../../../domain/turns/assistant-knowledge.ts';
import { assistantTools, openKnowledge } from '../../../../domain/turns/tools/assistant-tools.ts';
import type { JudgedOffer } from '../../../../domain/turns/tools/offered-tools.ts';
import { turnPorts } from '../../../turn-ports.ts';
import { command } from '../../command.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import type { Terminal } from '../../terminal.ts';

export const listTools = command({
  name: 'ls',
  summary: 'list the tools the assistant may call',
  description: 'Tools that are configured and cannot be called are listed too, with the reason.',
  examples: ['tools ls', 'tools ls --json', 'tools ls --server github'],
  options: [
    {
      flags: '--server <name>',
      summary: 'start this MCP server and list all its tools',
      complete: 'servers',
    },
  ],

  async run({ options, terminal, open, ...invocation }) {
    const app = await open();
    const server = options.text('server');
    if (server !== undefined)
      return listOffers(terminal, server, await offersOf(app, server, invocation.signal));
    const known = await openKnowledge(app, assistantKnowledge(app));
    const { tools, leftOut, settings } = await assistantTools(turnPorts(app), known);
    const pins = await app.toolPins.list(app.workspace.root).catch((error: unknown) => {
      if (!(error instanceof Fault)) throw error;
      terminal.warn(`The tools of servers that you accepted cannot be read: ${error.message}`);
      return [];
    });
    const listed = [...tools.map((tool) => callable(tool, settings)), ...others(tools, settings, pins)];
    for (const { name, fault } of leftOut)
      terminal.warn([`${name} cannot be used: ${fault.message}`, fault.hint].filter(Boolean).join('\n'));
    if (terminal.json) terminal.printJson({ tools: listed });
    else if (listed.length > 0) printTable(terminal, COLUMNS, listed);
    else
      terminal.note(
        'There are no tools. With a topic there is "learn"; "ken tools new" creates one of your own.',
      );
  },
});

interface Listed {
  readonly name: string;
  readonly source: string;
  readonly reach: string | null;
  readonly run: string;
  readonly callable: boolean;
  readonly description: string;
}

function callable(tool: Tool, settings: readonly ToolSettings[]): Listed {
  const configured = settings.find(({ name }) => name === tool.name);
  return {
    name: tool.name,
    source: configured ? describeSource(configured.source) : 'builtin',
    reach: tool.reach,
    run: tool.run,
    callable: tool.run !== 'deny',
    description: tool.description,
  };
}

/** Tools of servers are listed as they were accepted, without starting a server. */
function others(
  tools: readonly Tool[],
  settings: readonly ToolSettings[],
  pins: readonly ToolPin[],
): Listed[] {
  const known = new Set(tools.map(({ name }) => name));
  return settings.filter(({ name }) => !known.has(name)).map((each) => other(each, pins));
}

function other(settings: ToolSettings, pins: readonly ToolPin[]): Listed {
  const { name, source, isEnabled, run = 'ask' } = settings;
  const pin = pins.find((each) => {
    return source.kind === 'mcp' && each.server === source.server && each.tool === source.tool;
  });
  const described = pin?.definition.description;
  const listed = {
    name,
    source: describeSource(source),
    reach: null,
    description: settings.description ?? (typeof described === 'string' ? described : ''),
  };
  if (!isEnabled) return { ...listed, run: 'disabled', callable: false };
  if (pin) return { ...listed, run, callable: run !== 'deny' };
  return { ...listed, run: source.kind === 'mcp' ? 'not accepted' : 'unavailable', callable: false };
}

async function offersOf(
  app: WorkspaceApp,
  server: string,
  signal: AbortSignal,
): Promise<readonly JudgedOffer[]> {
  const { offeredTools } = await import('../../../../domain/turns/tools/offered-tools.ts');
  return offeredTools(app, { workspace: app.workspace.root, server }, signal);
}

function listOffers(terminal: Terminal, server: string, offers: readonly JudgedOffer[]): void {
  const listed = offers.map(({ tool, standing, definition: { description } }) => ({
    tool,
    source: `mcp.${server}.${tool}`,
    standing,
    description: typeof description === 'string' ? description : '',
  }));
  if (terminal.json) terminal.printJson({ server, offers: listed });
  else if (listed.length === 0) terminal.note(`The server "${server}" offers no tools.`);
  else printTable(terminal, OFFER_COLUMNS, listed);
}

const SOURCE: ItemColumn<{ source: string }> = { title: 'source', cell: ({ source }) => source };
const DESCRIPTION: ItemColumn<{ description: string }> = {
  title: 'description',
  flexible: true,
  cell: ({ description }) => description.split('\n')[0] ?? '',
};
const OFFER_COLUMNS: readonly ItemColumn<{ source: string; standing: string; description: string }>[] = [
  SOURCE,
  { title: 'standing', cell: ({ standing }) => standing },
  DESCRIPTION,
];
const COLUMNS: readonly ItemColumn<Listed>[] = [
  { title: 'tool', cell: ({ name }) => name },
  SOURCE,
  { title: 'reach', cell: ({ reach }) => reach ?? '' },
  { title: 'run', cell: ({ run }) => run },
  DESCRIPTION,
];

/** Where a tool comes from, in a few words. */
export function describeSource(source: ToolOrigin): string {
  if (source.kind === 'wasm')
    return `wasm ${source.wasm.file}${source.ownFunction ? ` ${source.ownFunction.name}` : ''}`;
  if (source.kind === 'mcp') return `mcp ${source.server}.${source.tool}`;
  if (source.kind === 'builtin' || source.kind === 'broken') return source.kind;
  const { command } = source;
  return `command ${typeof command === 'string' ? command : [command.program, ...command.args].join(' ')}`;
}
