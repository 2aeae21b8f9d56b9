/** `unchecked`: nothing to compare with, or not checkable here. */
export const VERDICTS = ['ok', 'unchecked', 'moved', 'changed', 'missing'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Result of a check of evidence. */
export interface Finding {
  readonly verdict: Verdict;
  /** New place of the same lines; only for `moved`. */
  readonly movedTo: string | undefined;
  /** Why it was not checked, or why the new place is unknown. */
  readonly reason: string | undefined;
}

/** The last verdict and its time. */
export interface Verification {
  readonly verdict: Verdict;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** The worst verdict of several citations, with the oldest time; undefined until all were checked. */
export function worstOf(verifications: readonly (Verification | undefined)[]): Verification | undefined {
  const known = verifications.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < verifications.length) return undefined;
  const verdict = VERDICTS[Math.max(...known.map((each) => VERDICTS.indexOf(each.verdict)))] ?? 'unchecked';
  return { verdict, at: Math.min(...known.map(({ at }) => at)) };
}
