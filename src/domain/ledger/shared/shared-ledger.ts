import type { LedgerEvent, LedgerLine, Stamp } from '../entry/ledger-event.ts';

/** A change of somebody else that waits for the operator. */
export interface SharedProposal {
  readonly event: LedgerEvent;
  /** Completes "It waits because …". */
  readonly why: string;
}

export type SharedFindingKind =
  | 'shared_pair'
  | 'shared_twin'
  | 'shared_ahead'
  | 'shared_waiting'
  | 'shared_line';

export interface SharedFinding {
  readonly kind: SharedFindingKind;
  readonly ids: readonly string[];
  readonly message: string;
}

export interface SettleRequest {
  readonly eventId: string;
  readonly stamp: Stamp;
}

/** The part of a ledger that came through git. Each method is one transaction. */
export interface SharedLedger {
  /** In order of their ids. */
  proposals(): Promise<readonly SharedProposal[]>;
  /** Makes the change as the operator's own. Returns the changed entries. A Fault where no such proposal waits. */
  accept(request: SettleRequest): Promise<readonly string[]>;
  /** The proposal does not come back. */
  decline(request: SettleRequest): Promise<void>;
  /** Events that do not fit together, for an audit. */
  findings(): Promise<readonly SharedFinding[]>;
}

/** The files that git carries: one JSON object a line, one file a month. */
export interface SharedFiles {
  /** `stamp` differs when the content may differ. */
  list(): readonly { readonly name: string; readonly stamp: string }[];
  /** Undefined when it is gone or cannot be read. */
  read(name: string): string | undefined;
  /** Appends durably; does not repeat an existing line. Throws a Fault when the file cannot be written. */
  append(name: string, lines: readonly LedgerLine[]): void;
}
