/** `unchecked`: there is nothing to compare with, or nothing that could be asked. */
export const VERDICTS = ['ok', 'unchecked', 'moved', 'changed', 'missing'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What a check of evidence found. */
export interface Finding {
  readonly verdict: Verdict;
  /** Where the same lines are now; only for `moved`. */
  readonly movedTo: string | undefined;
  /** Why it was not checked, or why nobody can say where the lines are now. */
  readonly reason: string | undefined;
}

/** What was last found, and when. */
export interface Verification {
  readonly verdict: Verdict;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** Of several citations: what is worst, as old as the oldest; nothing until all were looked at. */
export function worstOf(verifications: readonly (Verification | undefined)[]): Verification | undefined {
  const known = verifications.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < verifications.length) return undefined;
  const verdict = VERDICTS[Math.max(...known.map((each) => VERDICTS.indexOf(each.verdict)))] ?? 'unchecked';
  return { verdict, at: Math.min(...known.map(({ at }) => at)) };
}
