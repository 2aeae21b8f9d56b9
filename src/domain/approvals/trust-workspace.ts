/** `ken trust`: shows the operator everything that a workspace defines, and records exactly what was shown. */

import type { DefinitionSource } from '../../base/approvals.ts';
import type { Hasher } from '../../base/hasher.ts';
import type { Approval, ApprovalRequest } from './approval.ts';
import type { WorkResult } from './job.ts';
import { type TrustRecord, type TrustStore, trustDigest } from './trust.ts';
import { definitionLines, formatDefinitionLine } from './trust-difference.ts';

export interface TrustPorts {
  readonly trust: TrustStore;
  readonly hasher: Hasher;
}

export function trustRequest(input: {
  readonly workspace: string;
  readonly sources: readonly DefinitionSource[];
  readonly before: TrustRecord | undefined;
  readonly actor: string;
}): ApprovalRequest {
  const { workspace, sources, before, actor } = input;
  const definitions = definitionLines(before?.sources ?? [], sources).map(formatDefinitionLine);
  const request = sources.map(({ file, isAlwaysRead, definitions: defined }) => ({
    file,
    isAlwaysRead,
    definitions: defined.map(({ key, value }) => ({ key, value })),
  }));
  return { workspace, reason: { type: 'workspace_trust', definitions }, request, actor };
}

/** Trusts what a just granted approval says, without reading the files again. */
export async function recordTrust({ trust, hasher }: TrustPorts, approval: Approval): Promise<TrustRecord> {
  const { workspace, request, state } = approval;
  if (workspace === undefined || state.status !== 'consumed' || !areSources(request)) {
    throw new Error(`Approval ${approval.id} is not a granted request to trust a workspace.`);
  }
  const record = {
    workspace,
    sources: request,
    digest: trustDigest(hasher, request),
    decision: state.decision,
  };
  await trust.put(record);
  return record;
}

export async function trustAsApproved(ports: TrustPorts, approval: Approval): Promise<WorkResult> {
  const { workspace, digest } = await recordTrust(ports, approval);
  return { message: `${workspace} is trusted as shown.`, data: { workspace, digest } };
}

function areSources(value: unknown): value is DefinitionSource[] {
  return Array.isArray(value) && value.every(isSource);
}

function isSource(value: Partial<DefinitionSource>): boolean {
  const { file, isAlwaysRead, definitions } = value;
  if (typeof file !== 'string' || typeof isAlwaysRead !== 'boolean' || !Array.isArray(definitions))
    return false;
  return definitions.every(({ key, value: text }) => typeof key === 'string' && typeof text === 'string');
}
