/** Tools of servers that may be used: configured, offered, and accepted by the operator as they are. */

import { Fault } from '../../../base/fault.ts';
import type { JsonObject } from '../../../base/json.ts';
import { utf8Length } from '../../../base/text.ts';
import { acceptTool } from '../../approvals/accept-tool.ts';
import type { ApprovalPorts, ApprovalResult } from '../../approvals/seek-approval.ts';
import type { ToolPinStore } from '../../approvals/tool-pin.ts';
import type { LeftOutTool } from '../../tools/configured-tools.ts';
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
  readonly actor: string;
  readonly resultLimitBytes: number;
}

export interface ServerTools {
  readonly tools: readonly Tool[];
  readonly leftOut: readonly LeftOutTool[];
}

/**
 * Starts the servers in parallel. One that does not start is a Fault, unless it is optional; one that is not or wrongly
 * configured takes only its own tools away.
 */
export async function serverTools(
  ports: ServerToolsPorts,
  input: ServerToolsInput,
  signal: AbortSignal,
): Promise<ServerTools> {
  const wanted = input.settings.filter(isOfServer);
  const offers = await offersOf(ports, input, wanted, signal);
  const tools: Tool[] = [];
  const leftOut: LeftOutTool[] = [];
  // In sequence, since each may ask the operator.
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
      if (!(error instanceof Fault)) throw error;
      const isMistake = error.code === 'tools/unknown-server' || error.code === 'config/invalid';
      if (!isMistake && !servers[name]?.optional) throw error;
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
    const result = await acceptTool(noting, { workspace, server, tool, definition, actor }, asking);
    return result && notAccepted(server, tool, result);
  };
  const refused = await accept(ports, offer.definition, signal);
  if (refused) return refused;
  const made = serverTool(ports, {
    settings,
    server,
    offer,
    reach: input.servers[server]?.url === undefined ? 'execute' : 'network',
    acceptAgain: async (definition, asking) => {
      const noting = { ...ports, recordDecision: asking.recordDecision };
      const fault = await accept(noting, definition, asking.signal);
      return fault && [fault.message, fault.hint].filter(Boolean).join(' ');
    },
  });
  if ('refused' in made) return unusable(server, tool, made.refused);
  return { ...made.tool, resultLimitBytes: settings.resultLimitBytes ?? input.resultLimitBytes };
}

const LONGEST_DEFINITION = 256 * 1024;

function notAccepted(server: string, tool: string, { kind, approval }: ApprovalResult): Fault {
  const named = `"${tool}" of the server "${server}"`;
  if (kind === 'denied')
    return new Fault('approvals/denied', `The tool ${named} was denied in its present form.`, {
      hint: `ken asks again once the denial has expired; see "ken approvals show ${approval.id}".`,
    });
  return new Fault(
    'approvals/needed',
    `The tool ${named} needs your approval in its present form before it is used.`,
    {
      hint: `See it and accept it with "ken approvals approve ${approval.id}".`,
    },
  );
}

function unusable(server: string, tool: string, why: string): Fault {
  return new Fault('tools/not-found', `The tool "${tool}" of the server "${server}" cannot be used: ${why}.`);
}
