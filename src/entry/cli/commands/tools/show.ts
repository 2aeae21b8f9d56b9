import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { describeOffer } from '../../../../domain/tools/server-tool.ts';
import type { Tool } from '../../../../domain/tools/tool.ts';
import { isOfServer, type ServerToolSettings } from '../../../../domain/tools/tool-settings.ts';
import { describedSettings, findTool } from '../../../../domain/turns/tools/assistant-tools.ts';
import type { OfferStanding } from '../../../../domain/turns/tools/offered-tools.ts';
import { turnPorts } from '../../../turn-ports.ts';
import { command } from '../../command.ts';
import { describeSource } from './ls.ts';

export const showTool = command({
  name: 'show',
  summary: 'show one tool as the assistant sees it',
  description: 'For a tool of an MCP server, the server is started and asked for its present description.',
  examples: ['tools show learn', 'tools show learn --json'],
  arguments: [{ name: 'tool', summary: 'its name', required: true, complete: 'tools' }],

  async run(invocation) {
    const { terminal, open } = invocation;
    const [name = ''] = invocation.arguments;
    const app = await open();
    const settings = (await describedSettings(turnPorts(app))).find((each) => each.name === name);
    const tool: Shown =
      settings && isOfServer(settings)
        ? await offered(app, settings, invocation.signal)
        : await findTool(turnPorts(app), name, invocation);
    const { description, parameters, reach, run, access, standing } = tool;
    const source = settings ? describeSource(settings.source) : 'builtin';
    if (terminal.json) {
      const shown = { name, source, reach, run, description, parameters };
      terminal.printJson({ tool: { ...shown, ...(access && { access }), ...(standing && { standing }) } });
      return;
    }
    terminal.print(`${name} (${source})`);
    terminal.print(`reach ${reach}, run ${run}${standing ? `, ${STANDINGS[standing]}` : ''}`);
    terminal.print(access === undefined ? '' : `${access}\n`);
    terminal.print(`${description}\n`);
    terminal.print(JSON.stringify(parameters, null, 2));
  },
});

const STANDINGS: Record<OfferStanding, string> = {
  accepted: 'accepted as it is',
  changed: 'changed since it was accepted',
  new: 'not accepted yet',
};

interface Shown extends Pick<Tool, 'description' | 'parameters' | 'reach' | 'run' | 'access'> {
  readonly standing?: OfferStanding;
}

/** As the server describes it now, whether or not it may be used. */
async function offered(app: WorkspaceApp, settings: ServerToolSettings, signal: AbortSignal): Promise<Shown> {
  const { server, tool } = settings.source;
  const { offeredTool } = await import('../../../../domain/turns/tools/offered-tools.ts');
  const offer = await offeredTool(app, { workspace: app.workspace.root, server, tool }, signal);
  const described = describeOffer(settings, offer);
  if ('refused' in described)
    throw new Fault('tools/not-found', `The tool "${tool}" cannot be used: ${described.refused}.`);
  const reach = app.config.providers.mcp[server]?.url === undefined ? 'execute' : 'network';
  return { ...described, reach, run: settings.run ?? 'ask', standing: offer.standing };
}
