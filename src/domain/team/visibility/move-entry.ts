/** Shows an entry to more people, which a person approves first. Nothing moves back: what was seen stays seen. */

import { Fault } from '../../../base/fault.ts';
import { asText, asTexts, isJsonList, isJsonObject, type Json, memberOf } from '../../../base/json.ts';
import type { Approval, ApprovalRequest } from '../../approvals/approval.ts';
import type { WorkResult } from '../../approvals/job.ts';
import { type AddPorts, refuseSecrets, stampOf } from '../../ledger/add-entry.ts';
import { type Citation, type Entry, isProcedural, TTL_POLICIES } from '../../ledger/entry/entry.ts';
import { noEntry } from '../../ledger/plans/plan-status.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import type { Visibility } from './visibility.ts';

export interface MoveInput {
  readonly id: string;
  readonly actor: string;
  readonly workspace: string;
}

/** From its author to the workspace, or from the workspace to the team. */
export async function proposeMove(
  { ledger }: Pick<AddPorts, 'ledger'>,
  { id, actor, workspace }: MoveInput,
): Promise<ApprovalRequest> {
  const [entry] = await ledger.entries([id]);
  if (!entry) throw noEntry(id);
  requireMovable(entry);
  refuseSecrets([entry.title, entry.text]);
  const to: Visibility = entry.visibility === 'me' ? 'workspace' : 'team';
  return {
    workspace,
    actor,
    reason: { type: 'knowledge_move', title: entry.title, text: entry.text, visibility: to },
    request: {
      id: entry.id,
      version: entry.version,
      proposed_by: actor,
      title: entry.title,
      text: entry.text,
      visibility: to,
      citations: entry.citations
        .filter(({ until }) => until === undefined)
        .map(({ provenance, sha256 }) => ({ provenance, sha256: sha256 ?? null })),
      tags: entry.tags,
      labels: Object.fromEntries(entry.labels),
      ttl_policy: entry.ttlPolicy,
    },
  };
}

function requireMovable({ id, status, visibility }: Entry): void {
  if (visibility === 'team') throw invalid(`The whole team sees "${id}" already.`);
  if (status !== 'active')
    throw invalid(`"${id}" is ${status}; only an active entry is shown to more people.`);
  if (isProcedural(id)) throw invalid('A rule holds in its workspace alone.');
}

function invalid(message: string): Fault {
  return new Fault('team/invalid', message);
}

export interface MovePorts extends Omit<AddPorts, 'ledger'> {
  readonly ledgers: Readonly<Record<'workspace' | 'team', LedgerStore>>;
  own(person: string): Promise<LedgerStore>;
}

/** Adds exactly what the approval covers, then deprecates what it was made from, if that is as it was. */
export async function moveAsApproved(
  ports: MovePorts,
  { request, id: approvalId }: Approval,
): Promise<WorkResult> {
  const { target, id, version, proposer, fields } = planned(request);
  const actor = { name: proposer, run: approvalId };
  await ports.ledgers[target].add({
    ...{ id, ...fields, textSha256: ports.hasher.sha256(fields.text) },
    claimId: undefined,
    mergeKey: undefined,
    onConflict: 'reject',
    status: undefined,
    expires: undefined,
    lifetimes: ports.config.knowledge,
    permit: undefined,
    stamp: stampOf(ports, actor),
  });
  const before = target === 'workspace' ? await ports.own(proposer) : ports.ledgers.workspace;
  const [moved] = await before.entries([id]);
  if (moved?.status === 'active' && moved.version === version)
    await before.changeStatus({
      ...{ id, action: 'deprecate', reason: 'It is shown to more people now.' },
      lifetimes: ports.config.knowledge,
      stamp: stampOf(ports, actor),
    });
  return { message: `${id} is shown to ${target === 'team' ? 'the team' : 'the workspace'}`, data: { id } };
}

function planned(request: Json) {
  const text = (name: string) => asText(memberOf(request, name)) ?? '';
  const given = memberOf(request, 'citations');
  const [first, ...others] = (isJsonList(given) ? given : []).map(citationFrom);
  if (!first) throw new Error('A request to show an entry to more people names no source.');
  const labels = memberOf(request, 'labels');
  const citations: [Citation, ...Citation[]] = [first, ...others];
  return {
    target: text('visibility') === 'team' ? ('team' as const) : ('workspace' as const),
    ...{ id: text('id'), version: Number(memberOf(request, 'version')), proposer: text('proposed_by') },
    fields: {
      ...{ title: text('title'), text: text('text') },
      citations,
      tags: asTexts(memberOf(request, 'tags')) ?? [],
      labels: Object.entries(isJsonObject(labels) ? labels : {}).map(([key, value]) => ({
        ...{ kind: 'set' as const, key, value: String(value) },
      })),
      ttlPolicy: TTL_POLICIES.find((policy) => policy === text('ttl_policy')),
    },
  };
}

function citationFrom(value: Json): Citation {
  return {
    provenance: asText(memberOf(value, 'provenance')) ?? '',
    sha256: asText(memberOf(value, 'sha256')),
  };
}
