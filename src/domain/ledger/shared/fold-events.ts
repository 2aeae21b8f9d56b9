/**
 * The state of a ledger from its events alone. It depends on the set of events only, not on the order in which they came,
 * so that clones with the same events agree. Pure.
 */

import type { JsonObject } from '../../../base/json.ts';
import { compareCodePoints } from '../../../base/text.ts';
import { withCited } from '../entry/citations.ts';
import { type EntryVersion, isProcedural, type KeptCitation } from '../entry/entry.ts';
import type { LedgerEvent } from '../entry/ledger-event.ts';
import { claimOfKey, type StatedClaim } from '../entry/stated-claim.ts';
import { citesIn, uncitesIn, versionAfter } from './next-version.ts';
import { erasedIds, isBase } from './shared-line.ts';

export interface FoldedEvent {
  readonly event: LedgerEvent;
  readonly digest: string;
  /** Came from somebody else: it changes nothing that the operator made, but becomes a proposal. */
  readonly isForeign: boolean;
}

export interface FoldedEntry {
  readonly versions: readonly EntryVersion[];
  readonly citations: readonly KeptCitation[];
  /** Whether something of somebody else, or a conflict with it, made it as it is. */
  readonly isTouched: boolean;
}

/** `waiting`: it changes an entry that has not come yet. */
export type Outcome =
  | { readonly state: 'counted' | 'waiting' }
  | { readonly state: 'proposed'; readonly why: string };

/** Two entries that were active under one merge key. */
export interface KeyPair {
  readonly mergeKey: string;
  readonly active: string;
  readonly superseded: string;
}

export interface FoldedLedger {
  readonly entries: ReadonlyMap<string, FoldedEntry>;
  /** By event id. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly pairs: readonly KeyPair[];
  /** By their keys. */
  readonly claims: ReadonlyMap<string, StatedClaim>;
}

export function foldEvents(events: readonly FoldedEvent[]): FoldedLedger {
  const fold = new Fold(erasures(events));
  for (const each of inOrder(events)) fold.take(each);
  return fold.result();
}

/** By id; of two that share one, the smaller digest counts. */
function inOrder(events: readonly FoldedEvent[]): FoldedEvent[] {
  const sorted = [...events].sort(
    (a, b) => compareCodePoints(a.event.eventId, b.event.eventId) || compareCodePoints(a.digest, b.digest),
  );
  return sorted.filter(({ event }, at) => event.eventId !== sorted[at - 1]?.event.eventId);
}

/** The last erasure of each entry. What comes later under the same id is another entry. */
function erasures(events: readonly FoldedEvent[]): ReadonlyMap<string, string> {
  const last = new Map<string, string>();
  for (const { event, isForeign } of events) {
    if (event.type !== 'erase' || isForeign) continue;
    for (const id of erasedIds(event.data) ?? [])
      if ((last.get(id) ?? '') < event.eventId) last.set(id, event.eventId);
  }
  return last;
}

interface Building {
  versions: EntryVersion[];
  citations: KeptCitation[];
  isTouched: boolean;
  /** The event since which it is active. */
  since: string;
}

interface Step {
  readonly change: JsonObject;
  readonly before: EntryVersion | undefined;
  readonly after: EntryVersion;
}

class Fold {
  private readonly entries = new Map<string, Building>();
  private readonly outcomes = new Map<string, Outcome>();
  private readonly pairs: KeyPair[] = [];
  private readonly claims = new Map<string, StatedClaim>();
  private readonly holders = new Map<string, string>();
  /** By the entry that an event waits for. */
  private readonly waiting = new Map<string, FoldedEvent[]>();
  /** Proposed events by the entries that they would make. */
  private readonly proposed = new Map<string, FoldedEvent>();

  private readonly erased: ReadonlyMap<string, string>;

  constructor(erased: ReadonlyMap<string, string>) {
    this.erased = erased;
  }

  take(given: FoldedEvent): void {
    if (given.event.type === 'erase') {
      this.erase(given);
      return;
    }
    const each = this.withoutErased(given);
    if (given.event.type === 'claim') {
      this.state(each);
      return;
    }
    const { event, isForeign } = each;
    const missing = event.changes.find((change) => !isBase(change) && !this.entries.has(String(change.id)));
    if (missing) {
      this.defer(each, String(missing.id));
      return;
    }
    const steps = event.changes.map((change) => this.step(change, each));
    const why = isForeign ? this.objection(event, steps) : undefined;
    if (why === undefined) this.commit(each, steps);
    else this.propose(each, why);
  }

  result(): FoldedLedger {
    for (const { event } of [...this.waiting.values()].flat())
      this.outcomes.set(event.eventId, { state: 'waiting' });
    return { entries: this.entries, outcomes: this.outcomes, pairs: this.pairs, claims: this.claims };
  }

  private defer(each: FoldedEvent, id: string): void {
    const base = this.proposed.get(id);
    if (!base) this.waiting.set(id, [...(this.waiting.get(id) ?? []), each]);
    else if (each.isForeign) this.propose(each, `it rests on the proposal ${base.event.eventId}`);
    else {
      // The operator has changed what it brought, and so has agreed to it.
      this.proposed.delete(id);
      const steps = base.event.changes.map((change) => this.step(change, base));
      this.commit(base, steps);
      this.take(each);
    }
  }

  private step(change: JsonObject, { event, isForeign }: FoldedEvent): Step {
    const before = this.entries.get(String(change.id))?.versions.at(-1);
    const { isClaim: _, ...after } = { isClaim: undefined, ...versionAfter(before, change, event) };
    const link = after.supersedes;
    const supersedes = before || (link !== undefined && this.entries.has(link)) ? link : undefined;
    const staysClaim = before?.isClaim && !OWNING.has(event.type);
    const isClaim = isForeign || event.isClaim || staysClaim;
    return { change, before, after: { ...after, supersedes, ...(isClaim && { isClaim: true as const }) } };
  }

  /** Why an event of somebody else waits for the operator. */
  private objection({ type }: LedgerEvent, steps: readonly Step[]): string | undefined {
    if (type === 'promotion' || type === 'revocation') return 'it promotes or revokes a rule';
    const rule = steps.find(({ after }) => isProcedural(after.id));
    if (rule) return `it changes the rule ${rule.after.id}`;
    const own = steps.find(({ before }) => before && !before.isClaim);
    if (own) return `it changes ${own.after.id}, which is yours`;
    const last = new Map(steps.map(({ after }) => [after.id, after]));
    for (const { after } of steps) {
      const holder = after.mergeKey === undefined ? undefined : this.holders.get(after.mergeKey);
      if (after.status !== 'active' || holder === undefined || last.has(holder)) continue;
      if (!this.entries.get(holder)?.versions.at(-1)?.isClaim)
        return `${holder}, which is yours, is active under "${after.mergeKey}"`;
    }
    return undefined;
  }

  /** Somebody else's words do not replace the operator's. */
  private state({ event, isForeign }: FoldedEvent): void {
    for (const change of event.changes) {
      const [key, text] = [String(change.id), String(change.text)];
      const id = claimOfKey(key) ?? '';
      const known = this.claims.get(key);
      const isOthers = isForeign || event.isClaim === true;
      if (isOthers && known && !known.isForeign && known.text !== text) {
        this.outcomes.set(event.eventId, {
          state: 'proposed',
          why: `it restates the claim ${id}, which is yours`,
        });
        return;
      }
      if (!isOthers || !known || known.isForeign)
        this.claims.set(key, {
          ...{ id, text, statedAt: event.at, statedBy: event.actor },
          ...(isOthers && { isForeign: true as const }),
        });
    }
    this.outcomes.set(event.eventId, { state: 'counted' });
  }

  private propose(each: FoldedEvent, why: string): void {
    this.outcomes.set(each.event.eventId, { state: 'proposed', why });
    for (const change of each.event.changes) {
      const id = String(change.id);
      if (!isBase(change) || this.entries.has(id) || this.proposed.has(id)) continue;
      this.proposed.set(id, each);
      this.wake(id);
    }
  }

  private commit({ event, isForeign }: FoldedEvent, steps: readonly Step[]): void {
    this.outcomes.set(event.eventId, { state: 'counted' });
    for (const { change, after } of steps) this.put(after, change, event, isForeign);
    for (const { after } of steps) this.settleKey(after.id, event);
    for (const { after } of steps) this.wake(after.id);
  }

  private put(
    after: EntryVersion,
    change: JsonObject,
    { eventId, actor }: LedgerEvent,
    isForeign: boolean,
  ): void {
    const known = this.entries.get(after.id);
    const before = known?.versions.at(-1);
    const gone = uncitesIn(change);
    const left = (known?.citations ?? []).flatMap((each) =>
      each.until === undefined && gone.has(each.provenance) ? endedAt(each, after.version) : [each],
    );
    const cited = citesIn(change).map((each) => ({ ...each, citedBy: actor }));
    this.entries.set(after.id, {
      versions: [...(known?.versions ?? []), after],
      citations: withCited(left, cited, after),
      isTouched: isForeign || (known?.isTouched ?? false),
      since: known && before?.status === 'active' ? known.since : eventId,
    });
    if (
      before?.mergeKey !== undefined &&
      this.holders.get(before.mergeKey) === after.id &&
      after.status !== 'active'
    )
      this.holders.delete(before.mergeKey);
  }

  /** The later one of two active entries stays; one that the operator made goes before a claim. */
  private settleKey(id: string, event: LedgerEvent): void {
    const entry = this.entries.get(id);
    const now = entry?.versions.at(-1);
    if (!entry || !now || now.status !== 'active' || now.mergeKey === undefined) return;
    const holder = this.holders.get(now.mergeKey);
    const other = holder === undefined || holder === id ? undefined : this.entries.get(holder);
    if (!other || holder === undefined) {
      this.holders.set(now.mergeKey, id);
      return;
    }
    const isLater = entry.since > other.since || (entry.since === other.since && id > holder);
    const isClaim = now.isClaim === true;
    const wins = isClaim === (other.versions.at(-1)?.isClaim === true) ? isLater : !isClaim;
    const [active, superseded] = wins ? [id, holder] : [holder, id];
    this.supersede(superseded, event);
    this.touch(active);
    this.holders.set(now.mergeKey, active);
    this.pairs.push({ mergeKey: now.mergeKey, active, superseded });
  }

  private supersede(id: string, { at }: LedgerEvent): void {
    const entry = this.entries.get(id);
    const last = entry?.versions.at(-1);
    if (!entry || !last) return;
    const next = {
      ...last,
      version: last.version + 1,
      updatedAt: Math.max(at, last.updatedAt),
      status: 'superseded' as const,
    };
    this.entries.set(id, { ...entry, versions: [...entry.versions, next], isTouched: true });
  }

  private touch(id: string): void {
    const entry = this.entries.get(id);
    if (entry) entry.isTouched = true;
  }

  private wake(id: string): void {
    const events = this.waiting.get(id) ?? [];
    this.waiting.delete(id);
    for (const each of events) this.take(each);
  }

  private withoutErased(each: FoldedEvent): FoldedEvent {
    const { event } = each;
    const isLeft = ({ id }: JsonObject) => (this.erased.get(String(id)) ?? '') < event.eventId;
    if (event.changes.every(isLeft)) return each;
    return { ...each, event: { ...event, changes: event.changes.filter(isLeft) } };
  }

  /** An erasure of the operator has kept out what came before it. */
  private erase({ event, isForeign }: FoldedEvent): void {
    const there = (erasedIds(event.data) ?? []).filter((id) => this.entries.has(id) || this.claims.has(id));
    if (isForeign && there.length > 0)
      this.outcomes.set(event.eventId, { state: 'proposed', why: `it asks to erase ${there.join(', ')}` });
    else this.outcomes.set(event.eventId, { state: 'counted' });
  }
}

/** Events that make the text the operator's own. */
const OWNING: ReadonlySet<LedgerEvent['type']> = new Set(['add', 'promotion', 'import']);

function endedAt(citation: KeptCitation, version: number): KeptCitation[] {
  return citation.version < version ? [{ ...citation, until: version }] : [];
}
