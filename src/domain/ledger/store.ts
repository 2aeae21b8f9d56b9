import type { Selector } from '../labels/parse-selector.ts';
import type { Entry, EntryVersion, KeptCitation, Seconds, Status } from './entry/entry.ts';
import type { LedgerEvent } from './entry/ledger-event.ts';
import type { ClaimSides } from './entry/stated-claim.ts';
import type { EntryHistory } from './exchange/exported-entry.ts';
import type { AddRequest, AddResult } from './plans/plan-add.ts';
import type { ClaimRequest, ClaimResult } from './plans/plan-claim.ts';
import type { ImportEnd, ImportRequest } from './plans/plan-import.ts';
import type { PromoteRequest, RevokeRequest } from './plans/plan-promotion.ts';
import type { RetrievalRequest } from './plans/plan-retrieval.ts';
import type { DecayRequest, StatusRequest } from './plans/plan-status.ts';
import type { VerdictsRequest } from './plans/plan-verdicts.ts';
import type { Promotion } from './promotion/promotion.ts';
import type { SharedLedger } from './shared/shared-ledger.ts';

/** Reads a ledger; never creates one. */
export interface LedgerReader {
  /** Passes every entry with all its versions, sorted by id, from one snapshot. */
  histories(receive: (history: EntryHistory) => void): Promise<void>;
  /** Existing entries in the order of `ids`, at `at` if given, else as they are now. */
  entries(ids: readonly string[], at?: Seconds): Promise<readonly Entry[]>;
  /** Newest first, ties by id. */
  list(filter: EntryFilter): Promise<readonly Entry[]>;
  /** Ids that hold this text, whatever its case; sorted, at most `limit`. */
  idsWith(part: string, limit: number): Promise<readonly string[]>;
  /** Active and unexpired entries at `at`, sorted by id. */
  current(at: Seconds, among?: CurrentAmong): Promise<readonly CurrentEntry[]>;
  /** Changes when the result of `current` changes; empty before the first event. */
  revision(at: Seconds): Promise<string>;
  count(at: Seconds): Promise<LedgerCount>;
  /** All versions in order; empty for an unknown id. */
  versions(id: string): Promise<readonly EntryVersion[]>;
  /** All citations ever, in order; a replacement follows the one it replaced. */
  citations(id: string): Promise<readonly KeptCitation[]>;
  /** Events about the entry, or all events, in order. */
  events(entryId?: string): Promise<readonly LedgerEvent[]>;
  hasEvent(eventId: string): Promise<boolean>;
  /** Sorted by id, each with the entries that are active and unexpired at `at`; `ids`: only these, where they are known. */
  claims(at: Seconds, ids?: readonly string[]): Promise<readonly ClaimSides[]>;
  /** In the order of `eventIds`, without unknown ones. */
  promotions(eventIds: readonly string[]): Promise<readonly Promotion[]>;
}

export const UNSHARED_LEDGER: SharedLedger = {
  proposals: async () => [],
  accept: async () => [],
  decline: async () => {},
  findings: async () => [],
};

export const EMPTY_LEDGER: LedgerReader = {
  histories: async () => {},
  entries: async () => [],
  list: async () => [],
  idsWith: async () => [],
  current: async () => [],
  revision: async () => '',
  count: async () => ({ active: 0, expired: 0, doubtful: 0, unverified: 0 }),
  versions: async () => [],
  citations: async () => [],
  events: async () => [],
  hasEvent: async () => false,
  claims: async () => [],
  promotions: async () => [],
};

/**
 * Stores entries with every version and event. Each method is one transaction: it succeeds whole, or throws and
 * changes nothing. A merge key has at most one active entry, however many processes write. Events are in their ledger
 * file when the method returns; the next use adds what a crash left out.
 */
export interface LedgerStore extends LedgerReader {
  /** Plans with `planAdd`. */
  add(request: AddRequest): Promise<AddResult>;
  /** Plans with `planStatus`. Returns the entry after the change. */
  changeStatus(request: StatusRequest): Promise<Entry>;
  /** Marks expired entries as stale. Returns their ids, sorted; a dry run changes nothing but is logged. */
  decay(request: DecayRequest): Promise<readonly string[]>;
  /** Plans with `planRetrieval`; updates the feedback of the entries. */
  recordRetrieval(request: RetrievalRequest): Promise<void>;
  /** Plans with `planVerdicts`; records verdicts and rewrites fixed citations. */
  recordVerdicts(request: VerdictsRequest): Promise<void>;
  /** Plans with `planPromotion`: event and entry together. One approval makes one promotion. */
  promote(request: PromoteRequest): Promise<void>;
  /** Plans with `planRevocation`. Returns the demoted entries. */
  revoke(request: RevokeRequest): Promise<readonly string[]>;

  /** Plans with `planClaim`. */
  stateClaim(request: ClaimRequest): Promise<ClaimResult>;

  /** Plans with `importPlanner`. Returns the result for each history, in order. */
  importHistories(request: ImportRequest): Promise<readonly ImportEnd[]>;
}

export interface CurrentAmong {
  /** Those with the id of a rule. */
  readonly only?: 'rules';
  /** Those behind this id, at most so many. */
  readonly page?: { readonly after: string; readonly limit: number };
}

export interface CurrentEntry {
  readonly id: string;
  /** Differs for every version. */
  readonly hash: string;
}

export interface LedgerCount {
  readonly active: number;
  /** Expired but not marked as stale yet. */
  readonly expired: number;
  /** Entries with moved, changed or missing evidence. */
  readonly doubtful: number;
  /** Entries with evidence that was never checked. */
  readonly unverified: number;
}

export interface EntryFilter {
  /** Point in time; absent: now. */
  readonly at?: Seconds;
  readonly statuses?: readonly Status[];
  /** Leaves out entries expired by then. */
  readonly unexpiredAt?: Seconds;
  readonly tags?: readonly string[];
  readonly labels?: Selector;
  readonly claimId?: string;
  readonly mergeKey?: string;
  /** A citation that is in force begins with this provenance. */
  readonly cites?: string;
  /** Both ends included. */
  readonly createdFrom?: Seconds;
  readonly createdTo?: Seconds;
  readonly limit: number;
  readonly offset?: number;
  /** Only what comes after this entry in the order of the list. */
  readonly after?: { readonly createdAt: Seconds; readonly id: string };
}
