/** What the ledger holds: entries, each with every version it ever had. */

import { Fault } from '../../../base/fault.ts';
import type { Labels } from '../../labels/label.ts';
import type { Verification } from '../evidence/verdict.ts';

export const STATUSES = ['active', 'superseded', 'deprecated', 'stale'] as const;
export type Status = (typeof STATUSES)[number];

export const TTL_POLICIES = ['ephemeral', 'decay', 'persistent'] as const;
export type TtlPolicy = (typeof TTL_POLICIES)[number];

/** What to do when the merge key belongs to an active entry already. */
export const CONFLICT_POLICIES = ['merge', 'supersede', 'reject'] as const;
export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number];

/** Seconds since the epoch: the ledger's unit of time. */
export type Seconds = number;

/** An entry as it was from `updatedAt` until its next version. */
export interface EntryVersion {
  readonly id: string;
  /** From 1. */
  readonly version: number;
  readonly createdAt: Seconds;
  /** When title and text were last given; a change of status does not make an entry fresh. */
  readonly writtenAt: Seconds;
  readonly updatedAt: Seconds;
  readonly title: string;
  readonly text: string;
  /** The citation that was given first. */
  readonly provenance: string;
  readonly claimId: string | undefined;
  /** Never empty: no key is undefined. */
  readonly mergeKey: string | undefined;
  readonly status: Status;
  readonly ttlPolicy: TtlPolicy;
  /** From this second on it is expired, whatever its status says. */
  readonly expires: Seconds | undefined;
  readonly supersedes: string | undefined;
  readonly tags: readonly string[];
  readonly labels: Labels;
}

/** Evidence, as it was when it was cited. */
export interface Citation {
  readonly provenance: string;
  /** Of the cited lines, line ends made alike; absent where there was nothing to read. */
  readonly sha256: string | undefined;
}

export interface KeptCitation extends Citation {
  /** The version that brought it. */
  readonly version: number;
  /** The version from which on another is in its place. */
  readonly until: number | undefined;
  readonly citedAt: Seconds;
  readonly citedBy: string;
  /** What its last check found. */
  readonly verified: Verification | undefined;
}

/** A version with what the whole ledger knows about its entry. */
export interface Entry extends EntryVersion {
  /** Those that this version has, in order. */
  readonly citations: readonly KeptCitation[];
  /** What took its place; absent for one that was restored. */
  readonly supersededBy: string | undefined;
  readonly feedback: Feedback;
}

export interface Feedback {
  /** How often it was among what a retrieval returned. */
  readonly retrieved: number;
  /** Uses that helped, and uses that hurt. */
  readonly helped: number;
  readonly hurt: number;
}

export const NO_FEEDBACK: Feedback = { retrieved: 0, helped: 0, hurt: 0 };

export function isExpired({ expires }: Pick<EntryVersion, 'expires'>, at: Seconds): boolean {
  return expires !== undefined && expires <= at;
}

/**
 * The one spelling of an id: NFKC, trimmed, without invisible characters; a procedural one in small letters. What
 * is left is plain ASCII, so that no two ids look alike.
 */
export function entryId(given: string): string {
  const id = given.normalize('NFKC').replace(INVISIBLE, '').trim();
  if (id === '') throw new Fault('ledger/invalid', 'An entry needs an id that is not empty.');
  const isPlain = /^[\w.:@+~/-]{1,200}$/.test(id) && !/(^|\/)(\.{0,2})(\/|$)/.test(id);
  if (!isPlain) {
    throw new Fault('ledger/invalid', `"${given}" cannot be the id of an entry.`, {
      hint: 'Use up to 200 letters, digits and . _ : @ + ~ / -, without empty parts between slashes.',
    });
  }
  return isProcedural(id) ? id.toLowerCase() : id;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether an id that `entryId` has spelled stands behind the promotion firewall. */
export function isProcedural(id: string): boolean {
  return id.toLowerCase().startsWith('procedural/');
}

/** Days that an entry without an expiry of its own lasts. */
export interface Lifetimes {
  readonly ephemeral_days: number;
  readonly decay_days: number;
}

export const DAY_SECONDS = 86_400;

/** The expiry that is kept: as given, or the policy's own. */
export function expiryFor(
  policy: TtlPolicy,
  given: Seconds | undefined,
  now: Seconds,
  lifetimes: Lifetimes,
): Seconds | undefined {
  if (policy === 'persistent') {
    if (given === undefined) return undefined;
    throw new Fault('ledger/invalid', 'A persistent entry has no expiry.', {
      hint: 'Leave --expires-ts out, or choose --ttl-policy decay or ephemeral.',
    });
  }
  if (given !== undefined) return given;
  return now + DAY_SECONDS * (policy === 'ephemeral' ? lifetimes.ephemeral_days : lifetimes.decay_days);
}
