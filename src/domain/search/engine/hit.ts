/** The result of a search, the same for every entry. */

import type { JsonObject } from '../../../base/json.ts';
import type { LineRange } from '../../../base/text.ts';
import type { TopicSummary } from '../../references/topic/list-topics.ts';
import type { HitKind } from '../index/index-item.ts';
import type { Explanation } from '../ranking/explain-hit.ts';

export interface Envelope {
  readonly hits: readonly Hit[];
  /** Nothing is near enough to be an answer. */
  readonly abstained: boolean;
  readonly near_misses: readonly Hit[];
  /** Sources that could not be searched; absent when there are none. */
  readonly unavailable?: readonly UnavailableSource[];
}

export interface UnavailableSource {
  /** As `--in` names it. */
  readonly in: string;
  readonly message: string;
  readonly hint?: string;
}

export interface Hit {
  readonly kind: HitKind;
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  /** The whole chunk, where it was requested. */
  readonly text?: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly citation: HitCitation;
  readonly freshness: HitFreshness;
  readonly trust: { readonly tier: TrustTier /** From 0 to 10. */; readonly score?: number };
  readonly labels?: Readonly<Record<string, string>>;
  /** The topic of a reference. */
  readonly topic?: Omit<TopicSummary, 'labels'>;
  /** An entry of the ledger, as `ken k show --json` prints it. */
  readonly entry?: JsonObject;
  /** The entry that took its place. */
  readonly superseded_by?: string;
  readonly explain?: Explanation;
}

/** Times in ISO-8601. */
export interface HitFreshness {
  readonly status: 'current' | 'stale' | 'expired';
  readonly fetched_at?: string;
  readonly stale_since?: string;
  /** When evidence was last checked. */
  readonly verified_at?: string;
  readonly expires_at?: string;
}

export interface HitCitation {
  readonly uri: string;
  readonly path?: string;
  readonly lines?: LineRange;
  readonly commit?: string;
  readonly sha256?: string;
  /** Address of a web page. */
  readonly url?: string;
}

/** From the most trusted to the least; orders near-ties and nothing else. */
export type TrustTier =
  | 'procedural'
  | 'workspace'
  | 'verified'
  | 'entry'
  | 'reference'
  | 'conversation'
  | 'stale';

export const TRUST_TIERS: readonly TrustTier[] = [
  'procedural',
  'workspace',
  'verified',
  'entry',
  'reference',
  'conversation',
  'stale',
];
