/** Matches a pattern against the subjects of a topic: as a slug if there is one of that name, else as a glob. */

import { type GlobProblem, MAX_GLOB_LENGTH, parseGlob } from '../../base/glob.ts';
import { compareCodePoints } from '../../base/text.ts';
import { shortQuote } from './inert-text.ts';
import type { SubjectFile } from './slugs.ts';

export interface SubjectIndex<Found extends SubjectFile> {
  /** Sorted by slug. */
  readonly all: readonly Found[];
  readonly bySlug: Pick<ReadonlyMap<string, Found>, 'get' | 'has'>;
}

/** Looks slugs up by halves: a map of a hundred thousand subjects would take longer to make, and memory. */
export function indexed<Found extends SubjectFile>(all: readonly Found[]): SubjectIndex<Found> {
  const get = (slug: string) => {
    const found = all[placeOf(all, slug)];
    return found?.slug === slug ? found : undefined;
  };
  return { all, bySlug: { get, has: (slug) => get(slug) !== undefined } };
}

/** Where in `sorted` the first slug stands that is not before this text. */
export function placeOf(sorted: readonly Pick<SubjectFile, 'slug'>[], text: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compareCodePoints(sorted[middle]?.slug ?? '', text) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

export type PatternMatch<Found extends SubjectFile> =
  | { readonly kind: 'exact' | 'glob'; readonly subjects: readonly Found[] }
  | InvalidPattern;

interface InvalidPattern {
  readonly kind: 'invalid';
  readonly pattern: string;
  /** Completes a sentence that begins with the pattern. */
  readonly problem: string;
}

/** A slug also finds hidden subjects; a glob only with `reach` "all". */
export function matchPattern<Found extends SubjectFile>(
  index: SubjectIndex<Found>,
  pattern: string,
  reach: 'visible' | 'all',
): PatternMatch<Found> {
  const exact = index.bySlug.get(pattern);
  if (exact) return { kind: 'exact', subjects: [exact] };
  const parsed = parseGlob(pattern);
  if (!parsed.ok) return { kind: 'invalid', pattern, problem: PROBLEMS[parsed.problem] };
  const subjects = index.all.filter(
    ({ hidden, slug }) => (reach === 'all' || !hidden) && parsed.glob.matches(slug),
  );
  return { kind: 'glob', subjects };
}

export function invalidPattern({ pattern, problem }: InvalidPattern): string {
  return `The pattern ${shortQuote(pattern)} ${problem}.`;
}

const PROBLEMS: Readonly<Record<GlobProblem, string>> = {
  negated: 'negates, and patterns can only add subjects',
  'too-long': `is longer than ${MAX_GLOB_LENGTH} characters`,
  'too-many-alternatives': 'has too many alternatives in braces',
};
