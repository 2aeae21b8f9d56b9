import { Fault } from '../../../base/fault.ts';
import type { Labels } from '../../labels/label.ts';

export const STATUSES = ['active', 'superseded', 'deprecated', 'stale'] as const;
export type Status = (typeof STATUSES)[number];

export const TTL_POLICIES = ['ephemeral', 'decay', 'persistent'] as const;
export type TtlPolicy = (typeof TTL_POLICIES)[number];

/** Policies for a merge key that an active entry already has. */
export const CONFLICT_POLICIES = ['merge', 'supersede', 'reject'] as const;
export type ConflictPolicy = (typeof CONFLICT_POLICIES)[number];

/** The side that an entry takes of its claim. */
export const STANCES = ['supports', 'contradicts'] as const;
export type Stance = (typeof STANCES)[number];

/** Seconds since the epoch, the ledger's unit of time. */
export type Seconds = number;

export interface EntryVersion {
  readonly id: string;
  readonly version: number;
  readonly createdAt: Seconds;
  /** When title or text last changed; a change of status does not count. */
  readonly writtenAt: Seconds;
  readonly updatedAt: Seconds;
  readonly title: string;
  readonly text: string;
  readonly provenance: string;
  readonly claimId: string | undefined;
  /** Undefined where it takes no side. */
  readonly claimStance: Stance | undefined;
  /** Never empty; undefined without a key. */
  readonly mergeKey: string | undefined;
  readonly status: Status;
  readonly ttlPolicy: TtlPolicy;
  /** The entry is expired from this second on, whatever its status. */
  readonly expires: Seconds | undefined;
  readonly supersedes: string | undefined;
  readonly tags: readonly string[];
  readonly labels: Labels;
  /** Not written by this operator: it came with the ledger. */
  readonly isClaim?: true;
}

export interface Citation {
  readonly provenance: string;
  /** Digest of the cited lines with normalised line ends; undefined when nothing could be read. */
  readonly sha256: string | undefined;
}

export interface KeptCitation extends Citation {
  readonly version: number;
  readonly until: number | undefined;
  readonly citedAt: Seconds;
  readonly citedBy: string;
  readonly verified: Verification | undefined;
}

export interface Entry extends EntryVersion {
  readonly citations: readonly KeptCitation[];
  /** Id of its successor; undefined after a restore. */
  readonly supersededBy: string | undefined;
  readonly feedback: Feedback;
  /** Seen by its author alone, or by every workspace of a team; absent: by its workspace. */
  readonly visibility?: 'me' | 'team';
}

export interface Feedback {
  /** How often a retrieval returned it. */
  readonly retrieved: number;
  /** Number of uses rated as helpful; `hurt` counts the harmful ones. */
  readonly helped: number;
  readonly hurt: number;
}

export const NO_FEEDBACK: Feedback = { retrieved: 0, helped: 0, hurt: 0 };

export function isExpired({ expires }: Pick<EntryVersion, 'expires'>, at: Seconds): boolean {
  return expires !== undefined && expires <= at;
}

/** NFKC, trimmed, without invisible characters, procedural ids in lower case. ASCII only: no two ids look alike. */
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

/** Whether a normalised id is behind the promotion firewall. */
export function isProcedural(id: string): boolean {
  return id.toLowerCase().startsWith('procedural/');
}

/** Days until an entry without its own expiry expires. */
export interface Lifetimes {
  readonly ephemeral_days: number;
  readonly decay_days: number;
}

export const DAY_SECONDS = 86_400;

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

/** `unchecked`: nothing to compare with, or not checkable here. */
export const VERDICTS = ['ok', 'unchecked', 'moved', 'changed', 'missing'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Finding {
  readonly verdict: Verdict;
  /** New place of the same lines; only for `moved`. */
  readonly movedTo: string | undefined;
  /** Why it was not checked, or why the new place is unknown. */
  readonly reason: string | undefined;
}

export interface Verification {
  readonly verdict: Verdict;
  readonly at: number;
}

/** The worst verdict with the oldest time; undefined until all were checked. */
export function worstOf(verifications: readonly (Verification | undefined)[]): Verification | undefined {
  const known = verifications.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < verifications.length) return undefined;
  const verdict = VERDICTS[Math.max(...known.map((each) => VERDICTS.indexOf(each.verdict)))] ?? 'unchecked';
  return { verdict, at: Math.min(...known.map(({ at }) => at)) };
}
