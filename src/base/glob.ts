/**
 * Glob patterns over slugs and paths. `*` and `?` stay in one level, `**` crosses levels (none included), `[..]` and `{a,b}` work.
 * Patterns come from models and from cloned workspaces, so they are matched without backtracking over regular
 * expressions: a match takes time in proportion to pattern × slug, whatever the pattern.
 */

import { expandBraces } from './glob-braces.ts';
import { matchSegment, parseSegment, type SegmentPattern } from './glob-segment.ts';

export interface Glob {
  matches(slug: string): boolean;
}

export type GlobProblem = 'negated' | 'too-long' | 'too-many-alternatives';

type ParsedGlob =
  | { readonly ok: true; readonly glob: Glob }
  | { readonly ok: false; readonly problem: GlobProblem };

export const MAX_GLOB_LENGTH = 1024;
/** `!a` and `!(a)`; the `!` of `[!a]` and an escaped one are no negation of the pattern. */
const NEGATION = /^!|(?<![[\\])!\(/;

export function parseGlob(pattern: string): ParsedGlob {
  if (NEGATION.test(pattern)) return { ok: false, problem: 'negated' };
  if (pattern.length > MAX_GLOB_LENGTH) return { ok: false, problem: 'too-long' };
  const alternatives = expandBraces(pattern);
  if (!alternatives) return { ok: false, problem: 'too-many-alternatives' };
  if (pattern === '**') return { ok: true, glob: { matches: () => true } };
  const paths = alternatives.map(parsePath);
  return { ok: true, glob: { matches: (slug) => matchesAny(paths, slug) } };
}

const ANY_LEVELS = Symbol('**');
type PathPattern = readonly (SegmentPattern | typeof ANY_LEVELS)[];

function parsePath(pattern: string): PathPattern {
  const segments = pattern.split('/');
  const parsed = segments.map((segment) => (segment === '**' ? ANY_LEVELS : parseSegment(segment)));
  const isRepeated = (at: number) => parsed[at] === ANY_LEVELS && parsed[at - 1] === ANY_LEVELS;
  return parsed.filter((_, at) => !isRepeated(at));
}

function matchesAny(paths: readonly PathPattern[], slug: string): boolean {
  const segments = slug.split('/');
  return paths.some((path) => matchesPath(path, segments));
}

/** Reaches forward over the pattern, keeping the set of slug positions that the part so far can end at. */
function matchesPath(path: PathPattern, segments: readonly string[]): boolean {
  let ends = new Set([0]);
  path.forEach((part, index) => {
    if (part === ANY_LEVELS) ends = afterAnyLevels(ends, segments.length, index === path.length - 1);
    else ends = afterOneLevel(ends, part, segments);
  });
  return ends.has(segments.length);
}

/** At the end of a pattern `**` stands for at least one level: `a/**` is what is under `a`, not `a`. */
function afterAnyLevels(ends: ReadonlySet<number>, length: number, isLast: boolean): Set<number> {
  const after = new Set<number>();
  const first = Math.min(...ends);
  for (let end = isLast ? first + 1 : first; end <= length; end++) after.add(end);
  return after;
}

function afterOneLevel(
  ends: ReadonlySet<number>,
  part: SegmentPattern,
  segments: readonly string[],
): Set<number> {
  const after = new Set<number>();
  for (const end of ends) {
    const segment = segments[end];
    if (segment !== undefined && matchSegment(part, segment)) after.add(end + 1);
  }
  return after;
}
