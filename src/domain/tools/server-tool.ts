import type { RecordDecision } from '../../base/approvals.ts';
import { canonicalJson, isDeeperThan, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { utf8Length } from '../../base/text.ts';
import { failure, success, type Tool } from './tool.ts';
import type { ServerOffer, ToolServers } from './tool-servers.ts';
import type { ToolSettings } from './tool-settings.ts';

export interface ServerToolInput {
  readonly settings: ToolSettings;
  readonly server: string;
  readonly reach: Tool['reach'];
  readonly offer: ServerOffer;
  /** Asks about a changed definition. Undefined: it may be used; else the reason why not. */
  acceptAgain(
    definition: JsonObject,
    asking: { readonly signal: AbortSignal; readonly recordDecision?: RecordDecision | undefined },
  ): Promise<string | undefined>;
}

export type MadeServerTool = { readonly tool: Tool } | { readonly refused: string };

export function serverTool(
  ports: { readonly toolServers: ToolServers },
  input: ServerToolInput,
): MadeServerTool {
  const { settings, offer, reach } = input;
  const described = describeOffer(settings, offer);
  if ('refused' in described) return described;
  return {
    tool: {
      name: settings.name,
      ...described,
      reach,
      run: settings.run ?? 'ask',
      standingScope: () =>
        reach === 'network'
          ? undefined
          : {
              covers: `every call of ${settings.name}, with any arguments`,
              definition: { server: input.server, offer: offer.definition },
            },
      async call(request, signal) {
        // A server is not asked how to show a call: nothing is sent before it is approved.
        if (request.action === 'format-arguments') return { outcome: success('') };
        const current = await currentOffer(ports, input, { signal, recordDecision: request.recordDecision });
        if ('refused' in current) return { outcome: failure(current.refused) };
        const { arguments: given, onProgress } = request;
        const call = { server: input.server, offer: current, arguments: given, limits: timeOf(settings) };
        return ports.toolServers.call({ ...call, ...(onProgress && { onProgress }) }, signal);
      },
    },
  };
}

/** Configured text goes before the server's. */
export function describeOffer(
  settings: ToolSettings,
  { definition: { description, inputSchema = {} } }: ServerOffer,
): Pick<Tool, 'description' | 'parameters'> | { readonly refused: string } {
  const accepted = acceptSchema(inputSchema);
  if ('refused' in accepted) return accepted;
  return {
    description: settings.description ?? (typeof description === 'string' ? description : ''),
    parameters: settings.parameters ?? accepted.schema,
  };
}

/** The server may offer another definition by now. */
async function currentOffer(
  { toolServers }: { readonly toolServers: ToolServers },
  { server, offer, acceptAgain }: ServerToolInput,
  asking: Parameters<ServerToolInput['acceptAgain']>[1],
): Promise<ServerOffer | { readonly refused: string }> {
  const offers = await toolServers.list(server, asking.signal);
  const now = offers.find(({ tool }) => tool === offer.tool);
  if (!now) return { refused: `The server "${server}" no longer offers "${offer.tool}".` };
  if (canonicalJson(now.definition) === canonicalJson(offer.definition)) return now;
  const refused = await acceptAgain(now.definition, asking);
  return refused === undefined ? now : { refused };
}

const IDLE_MS = 60_000;
const LONGEST_MS = 600_000;

/** A configured limit is absolute; otherwise a tool that reports progress may go on. */
function timeOf({ timeoutMs }: ToolSettings) {
  return timeoutMs === undefined
    ? { idleMs: IDLE_MS, totalMs: LONGEST_MS }
    : { idleMs: timeoutMs, totalMs: timeoutMs };
}

type AcceptedSchema =
  | { readonly schema: JsonObject }
  /** For the operator. */
  | { readonly refused: string };

/** Accepts a schema from a server if it describes an object and has a reasonable size. */
export function acceptSchema(sent: Json): AcceptedSchema {
  if (!isJsonObject(sent)) return { refused: 'its schema is not an object' };
  if (isDeeperThan(sent, MAX_DEPTH))
    return { refused: `its schema is nested more than ${MAX_DEPTH} levels deep` };
  if (utf8Length(JSON.stringify(sent)) > MAX_BYTES)
    return { refused: `its schema is larger than ${MAX_BYTES} bytes` };
  const { type = 'object' } = sent;
  if (type !== 'object') return { refused: 'its schema does not describe an object' };
  return { schema: { ...sent, type } };
}

const MAX_DEPTH = 64;
const MAX_BYTES = 128 * 1024;
