/** The tools of servers that may be used here: configured, offered, and accepted by the operator as they are. */

import { Fault } from '../../../base/fault.ts';
import type { JsonObject } from '../../../base/json.ts';
import { utf8Length } from '../../../base/text.ts';
import { acceptTool } from '../../approvals/accept-tool.ts';
import type { ApprovalPorts, Permission } from '../../approvals/seek-approval.ts';
import type { ToolPinStore } from '../../approvals/tool-pin.ts';
import { serverTool } from '../../tools/server-tool.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ServerOffer, ToolServers } from '../../tools/tool-servers.ts';
import { isOfServer, type ServerToolSettings, type ToolSettings } from '../../tools/tool-settings.ts';
import { noSuchOffer } from './offered-tools.ts';

export interface ServerToolsPorts extends ApprovalPorts {
  readonly toolServers: ToolServers;
  readonly toolPins: ToolPinStore;
}

export interface ServerToolsInput {
  readonly settings: readonly ToolSettings[];
  readonly servers: Readonly<
    Record<string, { readonly url?: string | undefined; readonly optional: boolean }>
  >;
  readonly workspace: string;
  /** The actor that wants to use them. */
  readonly actor: string;
  readonly resultLimitBytes: number;
}

export interface ServerTools {
  readonly tools: readonly Tool[];
  readonly leftOut: readonly LeftOutTool[];
}

export interface LeftOutTool {
  readonly name: string;
  readonly fault: Fault;
}

/** Starts the servers they need, side by side. One that does not start is a Fault, unless it is optional. */
export async function serverTools(
  ports: ServerToolsPorts,
  input: ServerToolsInput,
  signal: AbortSignal,
): Promise<ServerTools> {
  const wanted = input.settings.filter(isOfServer);
  const offers = await offersOf(ports, input, wanted, signal);
  const tools: Tool[] = [];
  const leftOut: LeftOutTool[] = [];
  // One after the other: each may ask the operator.
  for (const settings of wanted) {
    const made = await oneTool(ports, input, settings, offers, signal);
    if (made instanceof Fault) leftOut.push({ name: settings.name, fault: made });
    else tools.push(made);
  }
  return { tools, leftOut };
}

type Offers = ReadonlyMap<string, readonly ServerOffer[] | Fault>;

async function offersOf(
  { toolServers }: ServerToolsPorts,
  { servers }: ServerToolsInput,
  wanted: readonly ServerToolSettings[],
  signal: AbortSignal,
): Promise<Offers> {
  const names = [...new Set(wanted.map(({ source }) => source.server))];
  const listed = async (name: string): Promise<[string, readonly ServerOffer[] | Fault]> => {
    try {
      return [name, await toolServers.list(name, signal)];
    } catch (error) {
      if (!(error instanceof Fault) || !servers[name]?.optional) throw error;
      return [name, error];
    }
  };
  return new Map(await Promise.all(names.map(listed)));
}

async function oneTool(
  ports: ServerToolsPorts,
  input: ServerToolsInput,
  settings: ServerToolSettings,
  offers: Offers,
  signal: AbortSignal,
): Promise<Tool | Fault> {
  const { server, tool } = settings.source;
  const answer = offers.get(server) ?? [];
  if (answer instanceof Fault) return answer;
  const offer = answer.find((each) => each.tool === tool);
  if (!offer) return noSuchOffer(server, tool, answer);
  if (utf8Length(JSON.stringify(offer.definition)) > LONGEST_DEFINITION) {
    return unusable(server, tool, 'its definition is too long');
  }
  const accept = async (noting: ServerToolsPorts, definition: JsonObject, asking: AbortSignal) => {
    const { workspace, actor } = input;
    const permission = await acceptTool(noting, { workspace, server, tool, definition, actor }, asking);
    return permission && notAccepted(server, tool, permission);
  };
  const refused = await accept(ports, offer.definition, signal);
  if (refused) return refused;
  const made = serverTool(ports, {
    settings,
    server,
    offer,
    reach: input.servers[server]?.url === undefined ? 'execute' : 'network',
    acceptAgain: async (definition, asking) => {
      const noting = { ...ports, noteDecision: asking.noteDecision };
      const fault = await accept(noting, definition, asking.signal);
      return fault && [fault.message, fault.hint].filter(Boolean).join(' ');
    },
  });
  if ('refused' in made) return unusable(server, tool, made.refused);
  return { ...made.tool, resultLimitBytes: settings.resultLimitBytes ?? input.resultLimitBytes };
}

const LONGEST_DEFINITION = 256 * 1024;

function notAccepted(server: string, tool: string, { kind, approval }: Permission): Fault {
  const named = `"${tool}" of the server "${server}"`;
  if (kind === 'denied')
    return new Fault('approvals/denied', `The tool ${named} was refused as it is now.`, {
      hint: `It can be asked about again once the refusal has expired; see "ken approvals show ${approval.id}".`,
    });
  return new Fault(
    'approvals/needed',
    `The tool ${named} is not used before you have accepted it as it is now.`,
    {
      hint: `Look at it and accept it with "ken approvals approve ${approval.id}".`,
    },
  );
}

function unusable(server: string, tool: string, why: string): Fault {
  return new Fault('tools/not-found', `The tool "${tool}" of the server "${server}" cannot be used: ${why}.`);
}
