/**
 * Proof that this operator wrote something in a ledger, which anybody may have brought: an HMAC with the operator's own key
 * over the ledger's id and what was written. What has none of this operator's is a claim of somebody else.
 */

import { canonicalJson, type Json } from '../../../base/json.ts';
import type { Promotion } from '../promotion/promotion.ts';
import type { Citation, EntryVersion, Verification } from './entry.ts';
import { type LedgerEvent, versionFields } from './ledger-event.ts';
import type { StatedClaim } from './stated-claim.ts';

export interface OperatorKey {
  /** Makes the key at its first use; undefined where none can be kept, so that what is written is a claim. */
  sign(statement: string): string | undefined;
  /** False without a key. */
  verify(statement: string, mac: string): boolean;
}

export function eventStatement(ledger: string, event: LedgerEvent): string {
  const { eventId, at, type, actor, run, data, changes } = event;
  return statement('event', ledger, { eventId, at, type, actor, run, data, changes });
}

/** Leaves out the entry that it supersedes, which belongs to all its versions. */
export function versionStatement(ledger: string, version: EntryVersion): string {
  const { supersedes_id: _, ...fields } = versionFields(version);
  const { id, version: number, createdAt, updatedAt, writtenAt } = version;
  return statement('version', ledger, { id, number, createdAt, updatedAt, writtenAt, ...fields });
}

export function verdictStatement(
  ledger: string,
  entry: string,
  { provenance, sha256 }: Citation,
  { verdict, at }: Verification,
): string {
  return statement('verdict', ledger, { entry, provenance, sha256: sha256 ?? null, verdict, at });
}

export function promotionStatement(ledger: string, promotion: Promotion): string {
  const { isClaim: _, approvalId, consumedBy, ...rest } = promotion;
  return statement('promotion', ledger, {
    ...rest,
    approvalId: approvalId ?? null,
    consumedBy: consumedBy ?? null,
  });
}

export function claimStatement(ledger: string, { id, text, statedAt, statedBy }: StatedClaim): string {
  return statement('claim', ledger, { id, text, statedAt, statedBy });
}

function statement(kind: string, ledger: string, content: Json): string {
  return canonicalJson([`ken-ledger-${kind}-1`, ledger, content]);
}
