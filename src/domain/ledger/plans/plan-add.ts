/** Plans the addition of an entry. Pure: a store runs it inside its transaction. */

import { Fault } from '../../../base/fault.ts';
import { compareCodePoints } from '../../../base/text.ts';
import { changeLabels, type LabelChange } from '../../labels/label.ts';
import {
  type Citation,
  type ConflictPolicy,
  type Entry,
  type EntryVersion,
  expiryFor,
  isExpired,
  isProcedural,
  type Lifetimes,
  type Seconds,
  type Stance,
  type Status,
  type TtlPolicy,
} from '../entry/entry.ts';
import { changeOf, citing, type LedgerEvent, type Stamp } from '../entry/ledger-event.ts';
import { type Permit, type Promotion, requirePromotion } from '../promotion/promotion.ts';

export interface AddRequest {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly textSha256: string;
  /** The first citation is the provenance. */
  readonly citations: readonly [Citation, ...Citation[]];
  readonly claimId: string | undefined;
  readonly claimStance?: Stance | undefined;
  readonly mergeKey: string | undefined;
  readonly onConflict: ConflictPolicy;
  readonly status: Status | undefined;
  readonly ttlPolicy: TtlPolicy | undefined;
  readonly expires: Seconds | undefined;
  readonly tags: readonly string[];
  readonly labels: readonly LabelChange[];
  readonly lifetimes: Lifetimes;
  readonly permit: Permit | undefined;
  /** The next version of the entry with this id; without it, a taken id is an error. */
  readonly isRevision?: boolean;
  readonly stamp: Stamp;
}

export interface AddSurroundings {
  readonly sameId: Entry | undefined;
  readonly holder: Entry | undefined;
  readonly promotion: Promotion | undefined;
}

export interface AddResult {
  readonly id: string;
  readonly action: 'inserted' | 'merged' | 'superseded';
  readonly supersededIds: readonly string[];
}

/** Written as a whole: versions in this order, citations of the last one, the event. */
export interface LedgerChange {
  readonly versions: readonly EntryVersion[];
  /** Given by the event's actor. */
  readonly citations: readonly Citation[];
  readonly event: LedgerEvent;
  /** Further entries whose history shows the event, besides those with new versions. */
  readonly about?: readonly string[];
  /** The promotion that this change consumes, and the entry that consumes it. */
  readonly consumes?: { readonly eventId: string; readonly entryId: string };
}

export interface PlannedAdd {
  readonly change: LedgerChange;
  readonly result: AddResult;
}

export function planAdd(found: AddSurroundings, request: AddRequest): PlannedAdd {
  const holder = request.isRevision ? found.sameId : found.holder;
  if (!holder) return insertion(found, request);
  switch (request.onConflict) {
    case 'merge':
      return merge(found, holder, request);
    case 'supersede':
      return supersession(found, holder, request);
    case 'reject':
      return isExpired(holder, request.stamp.at) ? afterExpiry(found, holder, request) : reject(holder);
  }
}

function reject({ id, mergeKey }: Entry): never {
  throw new Fault(
    'ledger/conflict',
    'knowledge merge_key conflict: active entry already exists and on_conflict=reject',
    { hint: `The entry ${id} has the merge key "${mergeKey}". Choose merge or supersede, or another key.` },
  );
}

function insertion(found: AddSurroundings, request: AddRequest): PlannedAdd {
  const entry = newEntry(found, request, undefined);
  return planned(found, request, entry, 'inserted', [], [[undefined, entry]]);
}

/** The merge key is free: its holder has expired but is not marked stale yet. */
function afterExpiry(found: AddSurroundings, holder: Entry, request: AddRequest): PlannedAdd {
  const expired = nextVersion(holder, request.stamp.at, { status: 'stale' });
  const entry = newEntry(found, request, undefined);
  return planned(
    found,
    request,
    entry,
    'inserted',
    [],
    [
      [holder, expired],
      [undefined, entry],
    ],
  );
}

function supersession(found: AddSurroundings, holder: Entry, request: AddRequest): PlannedAdd {
  if (request.id === holder.id) {
    throw new Fault(
      'ledger/conflict',
      `An entry cannot supersede itself: "${request.id}" has this merge key.`,
      { hint: 'Give the new entry another id, or merge.' },
    );
  }
  if ((request.status ?? 'active') !== 'active') {
    throw new Fault(
      'ledger/invalid',
      `Superseding with status '${request.status}' would leave no active entry.`,
      { hint: 'Use "ken knowledge deprecate" to retire an entry.' },
    );
  }
  if (isProcedural(holder.id)) requirePromotion(found.promotion, request.permit, request.textSha256);
  const old = nextVersion(holder, request.stamp.at, { status: 'superseded' });
  const entry = newEntry(found, request, holder.id);
  return planned(
    found,
    request,
    entry,
    'superseded',
    [holder.id],
    [
      [holder, old],
      [undefined, entry],
    ],
  );
}

/** The new title and text replace the old ones, which stay readable as an earlier version. */
function merge(found: AddSurroundings, holder: Entry, request: AddRequest): PlannedAdd {
  if ((request.status ?? 'active') !== 'active') {
    throw new Fault(
      'ledger/invalid',
      `A merge keeps "${holder.id}" active; it takes no status '${request.status}'.`,
    );
  }
  if (isProcedural(holder.id) || isProcedural(request.id))
    requirePromotion(found.promotion, request.permit, request.textSha256);
  const { at } = request.stamp;
  const ttlPolicy = request.ttlPolicy ?? holder.ttlPolicy;
  const kept = ttlPolicy === 'persistent' || isExpired(holder, at) ? undefined : holder.expires;
  const merged = nextVersion(holder, at, {
    writtenAt: Math.max(at, holder.updatedAt),
    title: request.title,
    text: request.text,
    provenance: request.citations[0].provenance,
    claimId: request.claimId ?? holder.claimId,
    claimStance: request.claimId === undefined ? holder.claimStance : request.claimStance,
    ttlPolicy,
    expires: expiryFor(ttlPolicy, request.expires ?? kept, at, request.lifetimes),
    tags: uniqueTags([...holder.tags, ...request.tags]),
    labels: changeLabels(holder.labels, request.labels),
  });
  return planned(found, request, merged, 'merged', [], [[holder, merged]]);
}

function newEntry(found: AddSurroundings, request: AddRequest, supersedes: string | undefined): EntryVersion {
  if (found.sameId) {
    throw new Fault('ledger/exists', `There is an entry "${request.id}" already.`, {
      hint: 'Leave --id out for a new one, or give both the same --merge-key.',
    });
  }
  if (isProcedural(request.id)) requirePromotion(found.promotion, request.permit, request.textSha256);
  const { at } = request.stamp;
  const ttlPolicy = request.ttlPolicy ?? 'persistent';
  return {
    id: request.id,
    version: 1,
    createdAt: at,
    writtenAt: at,
    updatedAt: at,
    title: request.title,
    text: request.text,
    provenance: request.citations[0].provenance,
    claimId: request.claimId,
    claimStance: request.claimStance,
    mergeKey: request.mergeKey,
    status: request.status ?? 'active',
    ttlPolicy,
    expires: expiryFor(ttlPolicy, request.expires, at, request.lifetimes),
    supersedes,
    tags: uniqueTags(request.tags),
    labels: changeLabels(new Map(), request.labels),
  };
}

/** Never dates a version before its predecessor, even after the clock stepped back. */
export function nextVersion(
  before: Entry,
  at: Seconds,
  changed: Partial<Omit<EntryVersion, 'id' | 'version' | 'createdAt' | 'updatedAt'>>,
): EntryVersion {
  const { citations, supersededBy, feedback, isClaim, ...version } = before;
  return {
    ...version,
    ...(isClaim && changed.text === undefined && { isClaim }),
    ...changed,
    version: before.version + 1,
    updatedAt: Math.max(at, before.updatedAt),
  };
}

function planned(
  found: AddSurroundings,
  request: AddRequest,
  entry: EntryVersion,
  action: AddResult['action'],
  supersededIds: readonly string[],
  steps: readonly (readonly [Entry | undefined, EntryVersion])[],
): PlannedAdd {
  const isPromoted =
    found.promotion !== undefined && [request.id, entry.id, ...supersededIds].some(isProcedural);
  return {
    result: { id: entry.id, action, supersededIds },
    change: {
      versions: steps.map(([, after]) => after),
      citations: request.citations,
      event: {
        ...request.stamp,
        type: 'add',
        data: { id: entry.id, action, superseded_ids: supersededIds },
        changes: steps.map(([before, after]) =>
          after === entry ? citing(changeOf(before, after), request.citations) : changeOf(before, after),
        ),
      },
      ...(isPromoted && { consumes: { eventId: found.promotion.eventId, entryId: entry.id } }),
    },
  };
}

function uniqueTags(tags: readonly string[]): readonly string[] {
  return [...new Set(tags)].sort(compareCodePoints);
}
