import type { Hasher } from '../../base/hasher.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { lineDifference } from '../../base/line-difference.ts';
import type { Approval } from './approval.ts';
import type { WorkResult } from './job.ts';
import type { ApprovalReason } from './reason.ts';
import { type ApprovalPorts, type ApprovalResult, seekApproval } from './seek-approval.ts';
import { definitionDigest, type ToolPin, type ToolPinStore } from './tool-pin.ts';

export interface OfferedTool extends Pick<ToolPin, 'workspace' | 'server' | 'tool' | 'definition'> {
  readonly actor: string;
}

/** Undefined when the operator accepted the tool, now or before. Otherwise it is not even shown to a model. */
export async function acceptTool(
  ports: ApprovalPorts & { readonly toolPins: ToolPinStore },
  offered: OfferedTool,
  signal: AbortSignal,
): Promise<ApprovalResult | undefined> {
  const { workspace, server, tool, definition, actor } = offered;
  const reason = pinQuestion(ports.hasher, await ports.toolPins.get(offered), offered);
  if (!reason) return undefined;
  const request = { server, tool, definition };
  const result = await seekApproval(ports, { workspace, reason, request, actor }, signal);
  if (result.kind !== 'granted') return result;
  await pinAsApproved(ports, result.approval);
  return undefined;
}

/** Accepts the definition in an approval that was just granted. */
export async function pinAsApproved(
  { toolPins, hasher }: { readonly toolPins: ToolPinStore; readonly hasher: Hasher },
  { id, workspace, request, state }: Approval,
): Promise<WorkResult> {
  if (workspace === undefined || state.status !== 'consumed' || !isOffer(request)) {
    throw new Error(`Approval ${id} is not a granted request to accept a tool.`);
  }
  const { server, tool, definition } = request;
  const digest = definitionDigest(hasher, definition);
  await toolPins.put({ workspace, server, tool, definition, digest, pinned: state.consumed });
  return {
    message: `Tool '${tool}' of server '${server}' is accepted as shown.`,
    data: { server, tool, digest },
  };
}

type Offer = { readonly server: string; readonly tool: string; readonly definition: JsonObject };

function isOffer(value: unknown): value is Offer {
  const { server, tool, definition } = Object(value) as Partial<Offer>;
  return typeof server === 'string' && typeof tool === 'string' && typeof definition === 'object';
}

/** Undefined when the tool is the accepted one. A renamed tool is a new one. */
export function pinQuestion(
  hasher: Hasher,
  pin: ToolPin | undefined,
  offered: Pick<ToolPin, 'server' | 'tool' | 'definition'>,
): Extract<ApprovalReason, { type: 'tool_definition' }> | undefined {
  const digest = definitionDigest(hasher, offered.definition);
  if (pin?.digest === digest) return undefined;
  const diff = lineDifference(pin ? readable(pin.definition) : '', readable(offered.definition));
  return { type: 'tool_definition', server: offered.server, tool: offered.tool, digest, diff };
}

function readable(definition: JsonObject): string {
  return JSON.stringify(JSON.parse(canonicalJson(definition)), null, 2);
}
