import type { Selector } from '../labels/selector.ts';
import type { Entry, EntryVersion, KeptCitation, Seconds, Status } from './entry/entry.ts';
import type { LedgerEvent } from './entry/ledger-event.ts';
import type { EntryHistory } from './exchange/exported-entry.ts';
import type { AddRequest, AddResult } from './plans/plan-add.ts';
import type { ImportEnd, ImportRequest } from './plans/plan-import.ts';
import type { PromoteRequest, RevokeRequest } from './plans/plan-promotion.ts';
import type { RetrievalRequest } from './plans/plan-retrieval.ts';
import type { DecayRequest, StatusRequest } from './plans/plan-status.ts';
import type { VerdictsRequest } from './plans/plan-verdicts.ts';
import type { Promotion } from './promotion/promotion.ts';

/**
 * Where entries are kept, with every version and event. Each method is one transaction: it happened whole, or it
 * threw and nothing happened. However many processes add at once, a merge key has at most one active entry.
 * Events that belong in a ledger file are in it when the method answers; what a crash left out, the next use adds.
 */
export interface LedgerStore {
  /** As `planAdd` decides. */
  add(request: AddRequest): Promise<AddResult>;
  /** As `planStatus` decides. Answers the entry as it is afterwards. */
  changeStatus(request: StatusRequest): Promise<Entry>;
  /** Marks what expired as stale. Answers the ids, ordered; a dry run only tells, and is still an event. */
  decay(request: DecayRequest): Promise<readonly string[]>;
  /** As `planRetrieval` decides; moves the feedback of the entries. */
  recordRetrieval(request: RetrievalRequest): Promise<void>;
  /** As `planVerdicts` decides; citations remember what was found, and those that are fixed are rewritten. */
  recordVerdicts(request: VerdictsRequest): Promise<void>;
  /** As `planPromotion` decides: event and entry together. One approval makes one promotion. */
  promote(request: PromoteRequest): Promise<void>;
  /** As `planRevocation` decides. Answers the entries that were demoted. */
  revoke(request: RevokeRequest): Promise<readonly string[]>;

  /** As `importPlanner` decides. Answers what became of each history, in order. */
  importHistories(request: ImportRequest): Promise<readonly ImportEnd[]>;

  /** Calls back with every entry and all its versions, one after the other, of one moment, by id. */
  histories(receive: (history: EntryHistory) => void): Promise<void>;
  /** Those that there are, at `at` if given, else as they are. In the order of `ids`. */
  entries(ids: readonly string[], at?: Seconds): Promise<readonly Entry[]>;
  /** Newest first, ties by id. */
  list(filter: EntryFilter): Promise<readonly Entry[]>;
  /** What is active and not expired at `at`, by id. */
  current(at: Seconds): Promise<readonly CurrentEntry[]>;
  /** Differs from an earlier one if `current` would answer otherwise; empty before the first event. */
  revision(at: Seconds): Promise<string>;
  count(at: Seconds): Promise<LedgerCount>;
  /** From the first on; empty for an unknown id. */
  versions(id: string): Promise<readonly EntryVersion[]>;
  /** All that it ever had, in order; one that took another's place comes behind it. */
  citations(id: string): Promise<readonly KeptCitation[]>;
  /** Those that changed or used the entry, or all of them, in the order in which they happened. */
  events(entryId?: string): Promise<readonly LedgerEvent[]>;
  hasEvent(eventId: string): Promise<boolean>;
  promotion(eventId: string): Promise<Promotion | undefined>;
}

export interface CurrentEntry {
  readonly id: string;
  /** Another for every version. */
  readonly hash: string;
}

/** Of entries whose status is active. */
export interface LedgerCount {
  readonly active: number;
  /** Expired by then, and not yet marked as stale. */
  readonly expired: number;
  /** With evidence that moved, changed or is missing. */
  readonly doubtful: number;
  /** With evidence that was never checked. */
  readonly unverified: number;
}

/** Everything that is given must hold. */
export interface EntryFilter {
  /** The ledger as it was then; absent: as it is. */
  readonly at?: Seconds;
  readonly statuses?: readonly Status[];
  /** Leaves out what has expired by then. */
  readonly unexpiredAt?: Seconds;
  /** Has all of them. */
  readonly tags?: readonly string[];
  readonly labels?: Selector;
  readonly claimId?: string;
  readonly mergeKey?: string;
  /** Both ends included. */
  readonly createdFrom?: Seconds;
  readonly createdTo?: Seconds;
  readonly limit: number;
  readonly offset?: number;
}
