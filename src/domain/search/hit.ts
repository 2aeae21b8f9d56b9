/** What every search answers with, on every way in. */

import type { HitKind } from './index-item.ts';

export interface Envelope {
  readonly hits: readonly Hit[];
  /** Nothing is near enough to be an answer. */
  readonly abstained: boolean;
  readonly near_misses: readonly Hit[];
}

export interface Hit {
  readonly kind: HitKind;
  readonly id: string;
  readonly title: string;
  readonly snippet: string;
  /** The whole passage, where it was asked for. */
  readonly text?: string;
  /** From 0 to 1. */
  readonly score: number;
  readonly citation: HitCitation;
  readonly freshness: { readonly status: 'current' | 'stale' | 'expired' };
  readonly trust: { readonly tier: TrustTier };
  readonly labels?: Readonly<Record<string, string>>;
  readonly explain?: unknown;
}

export interface HitCitation {
  readonly uri: string;
  readonly path?: string;
  readonly lines?: { readonly first: number; readonly last: number };
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
