import { Fault } from '../../base/fault.ts';
import type { IdSource } from '../../base/ids.ts';
import type { Clock } from '../../base/time.ts';
import { secondsOf } from '../../base/time.ts';
import type { LabelChange } from '../labels/label.ts';
import { checkedChoice, requireText, secretIn } from './entry/checked-input.ts';
import {
  type Citation,
  CONFLICT_POLICIES,
  entryId,
  type Lifetimes,
  STATUSES,
  TTL_POLICIES,
} from './entry/entry.ts';
import type { Stamp } from './entry/ledger-event.ts';
import { requireProvenance } from './entry/provenance.ts';
import { claimId, noClaim } from './entry/stated-claim.ts';
import { parseTimestamp } from './entry/timestamp.ts';
import { citeEvidence, type EvidencePorts } from './evidence/evidence.ts';
import type { AddRequest, AddResult } from './plans/plan-add.ts';
import { noEntry } from './plans/plan-status.ts';
import { type ApprovedPorts, approvedPromotions, type Permit } from './promotion/promotion.ts';
import type { LedgerStore } from './store.ts';

export interface Actor {
  readonly name: string;
  readonly run: string;
}

export interface StampPorts {
  readonly clock: Clock;
  readonly ids: IdSource;
}

export function stampOf({ clock, ids }: StampPorts, actor: Actor): Stamp {
  return { eventId: ids.ulid(), at: secondsOf(clock.now()), actor: actor.name, run: actor.run };
}

export interface AddPorts extends StampPorts, EvidencePorts, ApprovedPorts {
  readonly ledger: LedgerStore;
  readonly config: { readonly knowledge: Lifetimes };
}

/** Input as given; absent members get defaults. */
export interface AddInput {
  readonly id?: string | undefined;
  readonly title: string;
  readonly text: string;
  readonly provenance: readonly string[];
  readonly claimId?: string | undefined;
  /** The claim that it supports, or contradicts: one at most, in place of `claimId`. It has to be stated. */
  readonly supports?: string | undefined;
  readonly contradicts?: string | undefined;
  readonly mergeKey?: string | undefined;
  readonly onConflict?: string | undefined;
  readonly status?: string | undefined;
  readonly ttlPolicy?: string | undefined;
  readonly expires?: string | undefined;
  readonly tags?: readonly string[];
  readonly labels?: readonly LabelChange[];
  readonly allowSecret?: boolean;
  readonly actor: Actor;
}

export interface AddedEntry extends AddResult {
  /** Provenance whose evidence was not found, so that later changes to it go unnoticed. */
  readonly unfound: readonly string[];
}

export async function addEntry(ports: AddPorts, input: AddInput): Promise<AddedEntry> {
  const checked = checkedInput(ports, input);
  if (checked.claimStance && checked.claimId !== undefined) await requireClaim(ports, checked.claimId);
  const citations = await cited(ports, input.provenance);
  const permit = await permitFor(ports, citations[0], checked.title);
  const unfound = [...unfoundIn(citations), ...(await unknownEvents(ports, citations))];
  return { ...(await ports.ledger.add({ ...checked, citations, permit })), unfound };
}

export interface Revision {
  readonly id: string;
  readonly title?: string;
  readonly text?: string;
  /** In place of the provenance of the entry. */
  readonly provenance?: string;
  readonly allowSecret?: boolean;
  readonly actor: Actor;
}

/** Makes the next version of an entry. Its evidence stays as it was cited: a change of it is still noticed. */
export async function reviseEntry(ports: AddPorts, revision: Revision): Promise<AddResult> {
  const [entry] = await ports.ledger.entries([revision.id]);
  if (!entry) throw noEntry(revision.id);
  const { title, text, provenance, actor, allowSecret } = { ...entry, ...revision };
  const checked = checkedInput(ports, {
    id: entry.id,
    title,
    text,
    provenance: [provenance],
    actor,
    ...(allowSecret !== undefined && { allowSecret }),
  });
  const own = entry.citations.find((citation) => citation.provenance === provenance);
  const [citation] = own ? [own] : await cited(ports, [provenance]);
  const permit = await permitFor(ports, citation, title);
  return ports.ledger.add({ ...checked, citations: [citation], permit, isRevision: true });
}

function unfoundIn(citations: readonly Citation[]): string[] {
  return citations
    .filter(({ sha256, provenance }) => sha256 === undefined && /^(file|ref):/.test(provenance))
    .map(({ provenance }) => provenance);
}

/** Events that a ledger does not have; nothing will ever be at them. */
async function unknownEvents(
  { ledger }: Pick<AddPorts, 'ledger'>,
  citations: readonly Citation[],
): Promise<string[]> {
  const events = citations.flatMap(({ provenance }) => (provenance.startsWith('event:') ? [provenance] : []));
  const known = await Promise.all(events.map((event) => ledger.hasEvent(event.slice('event:'.length))));
  return events.filter((_, at) => !known[at]);
}

function checkedInput(ports: AddPorts, input: AddInput): Omit<AddRequest, 'citations' | 'permit'> {
  const id = entryId(input.id ?? ports.ids.ulid());
  const title = requireText('title', input.title);
  const text = requireText('text', input.text);
  if (!input.allowSecret) refuseSecrets([title, text, ...input.provenance]);
  return {
    id,
    title,
    text,
    textSha256: ports.hasher.sha256(text),
    ...claimIn(input),
    mergeKey: input.mergeKey?.trim() || undefined,
    onConflict: checkedChoice('conflict policy', input.onConflict, CONFLICT_POLICIES) ?? 'merge',
    status: checkedChoice('knowledge status', input.status, STATUSES),
    ttlPolicy: checkedChoice('ttl_policy', input.ttlPolicy, TTL_POLICIES),
    expires: input.expires === undefined ? undefined : parseTimestamp(input.expires),
    tags: (input.tags ?? []).map((tag) => requireText('tag', tag)),
    labels: input.labels ?? [],
    lifetimes: ports.config.knowledge,
    stamp: stampOf(ports, input.actor),
  };
}

/** The claim that the entry names, and its side. */
function claimIn({
  claimId: named,
  supports,
  contradicts,
}: AddInput): Pick<AddRequest, 'claimId' | 'claimStance'> {
  if ([named, supports, contradicts].filter((each) => each !== undefined).length > 1)
    throw new Fault('ledger/invalid', 'An entry takes one side of one claim.', {
      hint: 'Give one of --supports, --contradicts and --claim-id.',
    });
  if (supports !== undefined) return { claimId: claimId(supports), claimStance: 'supports' };
  if (contradicts !== undefined) return { claimId: claimId(contradicts), claimStance: 'contradicts' };
  return { claimId: named || undefined };
}

async function requireClaim({ ledger, clock }: AddPorts, id: string): Promise<void> {
  const now = secondsOf(clock.now());
  const [claim] = await ledger.claims(now, [id]);
  if (!claim?.stated) throw noClaim(id, await ledger.claims(now));
}

export function refuseSecrets(texts: readonly string[]): void {
  const rule = texts.map(secretIn).find((name) => name !== undefined);
  if (rule === undefined) return;
  throw new Fault('ledger/secret', `This looks like a secret (${rule}); it was not written down.`, {
    hint: 'Take it out; --allow-secret adds it anyway.',
  });
}

async function cited(ports: AddPorts, texts: readonly string[]): Promise<[Citation, ...Citation[]]> {
  const provenances = texts.map((text) => requireProvenance(text, ports.isCitationUri));
  const citations = await Promise.all(provenances.map((provenance) => citeEvidence(ports, provenance)));
  const [first, ...others] = citations;
  if (!first) {
    throw new Fault('ledger/invalid', 'An entry needs its provenance.', {
      hint: 'Say where it comes from: file:src/a.ts#L3-L9, url:, cmd:, commit:, ref:, person:NAME or meeting:TITLE@DATE.',
    });
  }
  return [first, ...others];
}

/** Checks the promotion that the provenance names. */
async function permitFor(
  ports: AddPorts,
  { provenance }: Citation,
  title: string,
): Promise<Permit | undefined> {
  if (!provenance.startsWith('event:')) return undefined;
  const eventId = provenance.slice('event:'.length);
  const found = await ports.ledger.promotions([eventId]);
  const promoted = found.map((promotion) => ({ promotion, title }));
  return { eventId, isApproved: (await approvedPromotions(ports, promoted)).length > 0 };
}
