import type { JsonObject } from '../../../base/json.ts';
import type { LineRange } from '../../../base/text.ts';
import type { TopicSummary } from '../../references/topic/list-topics.ts';
import type { HitKind } from '../index/index-item.ts';
import type { Explanation } from '../ranking/explain-hit.ts';
import type { Outcome } from '../ranking/outcome.ts';

export interface Envelope {
  readonly outcome: Outcome;
  /** Empty unless the outcome is `answers`. */
  readonly hits: readonly Hit[];
  /** The outcome is not `answers`. */
  readonly abstained: boolean;
  /** Empty unless the outcome is `nearest`. */
  readonly near_misses: readonly Hit[];
  readonly unavailable?: readonly UnavailableSource[];
}

export interface UnavailableSource {
  /** A value of `--in`. */
  readonly in: string;
  readonly message: string;
  readonly hint?: string;
}

export interface Hit {
  readonly kind: HitKind;
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  /** The line of the file that has the most of the question's words. */
  readonly line?: number;
  /** The whole chunk, or the part of it that fits into the budget, if requested. */
  readonly text?: string;
  /** The chance that it answers the question: strong from .7 on, fair from .4 on. */
  readonly score: number;
  readonly citation: HitCitation;
  readonly freshness: HitFreshness;
  readonly trust: { readonly tier: TrustTier /** From 0 to 10. */; readonly score?: number };
  readonly labels?: Readonly<Record<string, string>>;
  readonly topic?: Omit<TopicSummary, 'labels'>;
  /** As `ken k show --json` prints it. */
  readonly entry?: JsonObject;
  /** Id of the entry that replaces it. */
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
  readonly url?: string;
}

/** From the most trusted to the least; orders only near-ties. */
export type TrustTier =
  | 'procedural'
  | 'verified'
  | 'workspace'
  | 'entry'
  | 'reference'
  | 'conversation'
  | 'stale';

export const TRUST_TIERS: readonly TrustTier[] = [
  'procedural',
  'verified',
  'workspace',
  'entry',
  'reference',
  'conversation',
  'stale',
];
