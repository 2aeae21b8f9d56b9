/** `answers`: a hit is fair at least. `nearest`: none is, and some are near. `nothing`: not even that. */
export type Outcome = 'answers' | 'nearest' | 'nothing';

/** A hit is strong or fair from these chances on, and weak below. */
const STRONG = 0.7;
export const FAIR = 0.4;
/** A hit that is less likely than this is not shown at all. */
export const LEAST_SHOWN = 0.05;

export function strengthOf(chance: number): 'strong' | 'fair' | 'weak' {
  if (chance >= STRONG) return 'strong';
  return chance >= FAIR ? 'fair' : 'weak';
}

/** The outcome of a question whose best hit has this chance. */
export function outcomeOf(best: number): Outcome {
  if (best >= FAIR) return 'answers';
  return best >= LEAST_SHOWN ? 'nearest' : 'nothing';
}

/** How far a hit or an entry can be relied on, in the words that people read everywhere. */
export const TRUST_WORDS = {
  procedural: 'rule that you approved',
  workspace: 'knowledge base',
  verified: 'verified fact',
  entry: 'fact, not verified',
  reference: 'reference',
  conversation: 'earlier answer',
  stale: 'stale',
} as const;
