/** Proposes an entry to the ledger of a team; a person approves it before it is added. */

import { Fault } from '../../base/fault.ts';
import { asText, asTexts, isJsonObject, type JsonObject } from '../../base/json.ts';
import type { Approval, ApprovalRequest } from '../approvals/approval.ts';
import { toApprovalError } from '../approvals/approval-text.ts';
import type { WorkResult } from '../approvals/job.ts';
import { type ApprovalPorts, seekApproval } from '../approvals/seek-approval.ts';
import { type AddPorts, addEntry } from '../ledger/add-entry.ts';
import { requireText, secretIn } from '../ledger/entry/checked-input.ts';
import { toldBy } from '../ledger/entry/provenance.ts';
import { failure, success, type Tool, type ToolResult } from '../tools/tool.ts';

export interface ProposeInput {
  readonly workspace: string;
  readonly actor: string;
}

/** The tool that adds entries, except that nothing is written before a person approves it. */
export function proposingTool(tool: Tool, ports: ApprovalPorts, { workspace, actor }: ProposeInput): Tool {
  return {
    ...tool,
    description: `${tool.description} It waits for a person of the team.`,
    async call({ action, arguments: given }, signal): Promise<ToolResult> {
      if (action === 'format-arguments') return { outcome: success(`${tool.name} ${JSON.stringify(given)}`) };
      requireSound(given);
      const asked: ApprovalRequest = {
        workspace,
        actor,
        reason: { type: 'knowledge_add', title: asText(given.title) ?? '', text: asText(given.text) ?? '' },
        request: { ...given, proposed_by: actor },
      };
      const { kind, approval } = await seekApproval(ports, asked, signal);
      if (kind === 'denied')
        return { outcome: failure('The team said no. Propose something smaller, or leave it.') };
      return { outcome: failure(toApprovalError(asked.reason)), data: { approval_id: approval.id } };
    },
  };
}

/** Throws for an entry that could not be added, before anybody is asked. */
function requireSound(given: JsonObject): void {
  const texts = [
    requireText('title', asText(given.title) ?? ''),
    requireText('text', asText(given.text) ?? ''),
  ];
  const rule = [...texts, ...(asTexts(given.provenance) ?? [])]
    .map(secretIn)
    .find((name) => name !== undefined);
  if (rule !== undefined)
    throw new Fault('ledger/secret', `This looks like a secret (${rule}); it was not proposed.`);
}

/** Adds exactly what the approval covers. */
export async function addAsApproved(ports: AddPorts, { request }: Approval): Promise<WorkResult> {
  const given = isJsonObject(request) ? request : {};
  const actor = asText(given.proposed_by) ?? '';
  const { id, action } = await addEntry(ports, {
    title: asText(given.title) ?? '',
    text: asText(given.text) ?? '',
    provenance: (asTexts(given.provenance) ?? []).map((source) => toldBy(source, actor)),
    mergeKey: asText(given.merge_key),
    onConflict: asText(given.on_conflict),
    ttlPolicy: asText(given.ttl_policy),
    tags: asTexts(given.tags) ?? [],
    actor: { name: actor, run: 'proposed' },
  });
  return { message: `${action} ${id}`, data: { id, action } };
}
