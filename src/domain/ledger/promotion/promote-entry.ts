import { Fault } from '../../../base/fault.ts';
import type { JsonObject } from '../../../base/json.ts';
import { compareCodePoints } from '../../../base/text.ts';
import type { Approval, ApprovalRequest } from '../../approvals/approval.ts';
import type { WorkResult } from '../../approvals/job.ts';
import { type Actor, type StampPorts, stampOf } from '../add-entry.ts';
import { entryId, isProcedural } from '../entry/entry.ts';
import { parseProvenance } from '../entry/provenance.ts';
import { citeEvidence, type EvidencePorts } from '../evidence/evidence.ts';
import { noEntry } from '../plans/plan-status.ts';
import type { LedgerStore } from '../store.ts';

export interface ProposeInput {
  readonly sourceId: string;
  readonly evidence: readonly string[];
  readonly reason: string;
  readonly as?: string | undefined;
  readonly approvedBy?: string | undefined;
  readonly actor: Actor;
  readonly workspace: string;
}

export async function proposal(
  ports: { readonly ledger: LedgerStore },
  input: ProposeInput,
): Promise<ApprovalRequest> {
  if (input.sourceId.trim() === '') throw invalid('source_entry_id is required');
  const evidence = evidenceRefs(input.evidence);
  if (input.reason.trim() === '') throw invalid('reason is required');
  const target = input.as === undefined ? null : proceduralId(input.as);
  const id = entryId(input.sourceId);
  const [source] = await ports.ledger.entries([id]);
  if (!source) throw noEntry(id);
  if (source.visibility === 'me')
    throw invalid(`Only you see "${id}".`, 'Show it to the workspace first, on its page.');
  const { title, text, version } = source;
  return {
    workspace: input.workspace,
    actor: input.actor.name,
    reason: { type: 'knowledge_promote', entry: id, text, evidence: shownEvidence(evidence, input, target) },
    request: {
      source: id,
      version,
      title,
      text,
      evidence,
      reason: input.reason.trim(),
      target,
      claimed_approver: input.approvedBy?.trim() || null,
    },
  };
}

function evidenceRefs(given: readonly string[]): readonly string[] {
  if (given.length === 0) throw invalid('at least one --evidence-ref is required');
  const kept = given.map((text) => text.trim()).filter((text) => text !== '');
  if (kept.length === 0) throw invalid('evidence_refs cannot be empty');
  if (kept.some((text) => /\p{Cc}/u.test(text)))
    throw invalid('evidence_refs cannot contain control characters');
  return [...new Set(kept)].sort(compareCodePoints);
}

function proceduralId(given: string): string {
  const id = entryId(given);
  if (isProcedural(id)) return id;
  throw invalid(`"${given}" is not procedural.`, 'Such an id begins with procedural/.');
}

function shownEvidence(
  evidence: readonly string[],
  { reason }: ProposeInput,
  target: string | null,
): string[] {
  return [...evidence, `(reason) ${reason.trim()}`, ...(target === null ? [] : [`(becomes) ${target}`])];
}

function invalid(message: string, hint?: string): Fault {
  return new Fault('ledger/invalid', message, { hint });
}

export interface PromotePorts extends StampPorts, EvidencePorts {
  readonly ledger: LedgerStore;
}

/** Promotes exactly what the approval covers; it must have been granted just now. */
export async function promoteAsApproved(ports: PromotePorts, approval: Approval): Promise<WorkResult> {
  const { request, state, id, actor } = approval;
  if (state.status !== 'consumed' || !isProposal(request)) {
    throw new Error(`Approval ${id} is not a granted request to promote.`);
  }
  const stamp = stampOf(ports, { name: actor, run: id });
  const { source, target, title, text, evidence, reason, claimed_approver } = request;
  await ports.ledger.promote({
    sourceId: source,
    targetId: target ?? undefined,
    title,
    text,
    textSha256: ports.hasher.sha256(text),
    evidence,
    reason,
    approvalId: id,
    approver: state.decision.by,
    claimedApprover: claimed_approver ?? undefined,
    citations: await citations(ports, [`event:${stamp.eventId}`, ...evidence]),
    stamp,
  });
  return {
    message:
      target === null
        ? `'${source}' may become procedural; add it with --provenance event:${stamp.eventId}.`
        : `'${source}' is now '${target}'.`,
    data: { event_id: stamp.eventId, source_entry_id: source, target_id: target },
  };
}

async function citations(ports: PromotePorts, texts: readonly string[]) {
  const known = texts.flatMap((text) => parseProvenance(text, ports.isCitationUri) ?? []);
  return Promise.all(known.map((provenance) => citeEvidence(ports, provenance)));
}

interface Proposal extends JsonObject {
  readonly source: string;
  readonly title: string;
  readonly text: string;
  readonly evidence: readonly string[];
  readonly reason: string;
  readonly target: string | null;
  readonly claimed_approver: string | null;
}

function isProposal(value: unknown): value is Proposal {
  const given = Object(value) as Partial<Record<keyof Proposal, unknown>>;
  const isText = (name: keyof Proposal) => typeof given[name] === 'string';
  return (
    isText('source') && isText('title') && isText('text') && isText('reason') && Array.isArray(given.evidence)
  );
}
