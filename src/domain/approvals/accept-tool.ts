/** A tool of a server is used only as the operator accepted it. */

import type { Hasher } from '../../base/hasher.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Approval } from './approval.ts';
import type { WorkResult } from './job.ts';
import { type ApprovalPorts, type Permission, seekApproval } from './seek-approval.ts';
import { definitionDigest, pinQuestion, type ToolPin, type ToolPinStore } from './tool-pin.ts';

export interface OfferedTool extends Pick<ToolPin, 'workspace' | 'server' | 'tool' | 'definition'> {
  /** The actor that wants to use it. */
  readonly actor: string;
}

/** Undefined: it is what was accepted, or has just been. Otherwise it must not be used, nor shown to a model. */
export async function acceptTool(
  ports: ApprovalPorts & { readonly toolPins: ToolPinStore },
  offered: OfferedTool,
  signal: AbortSignal,
): Promise<Permission | undefined> {
  const { workspace, server, tool, definition, actor } = offered;
  const reason = pinQuestion(ports.hasher, await ports.toolPins.get(offered), offered);
  if (!reason) return undefined;
  const request = { server, tool, definition };
  const permission = await seekApproval(ports, { workspace, reason, request, actor }, signal);
  if (permission.kind !== 'granted') return permission;
  await pinAsApproved(ports, permission.approval);
  return undefined;
}

/** The approval, which must be one that was just granted, says what is accepted. */
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
