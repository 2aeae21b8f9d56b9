import { withoutTrailing } from './text.ts';

/**
 * Glob patterns over slugs and paths. `*` and `?` match within one level, `**` matches any number of levels, `[..]` and
 * `{a,b}` are supported. Patterns come from models and from cloned workspaces, so they are not turned into regular
 * expressions, which backtrack: a match takes time in proportion to pattern × slug for every pattern.
 */

export interface Glob {
  matches(slug: string): boolean;
}

export type GlobProblem = 'negated' | 'too-long' | 'too-many-alternatives';

type ParsedGlob =
  | { readonly ok: true; readonly glob: Glob }
  | { readonly ok: false; readonly problem: GlobProblem };

export const MAX_GLOB_LENGTH = 1024;
/** Matches `!a` and `!(a)`, but not `[!a]` and an escaped `!`. */
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

/**
 * Matches paths as lines of `.gitignore` do: a pattern without a slash matches at every level, one with a slash from
 * the root, and a pattern that names a directory matches everything below it. Undefined for an invalid pattern.
 */
export function parsePathPattern(pattern: string): Glob | undefined {
  const name = withoutTrailing(pattern.replace(/^(?:\.?\/+)+/, ''), '/');
  const isDirectory = pattern.endsWith('/');
  const anywhere = name.includes('/') || pattern.startsWith('/') ? name : `**/${name}`;
  const below = parseGlob(`${anywhere}/**`);
  const file = parseGlob(anywhere);
  if (name === '' || !parseGlob(pattern).ok || !below.ok || !file.ok) return undefined;
  return {
    matches: (path) => below.glob.matches(path) || (!isDirectory && file.glob.matches(path)),
  };
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

function matchesPath(path: PathPattern, segments: readonly string[]): boolean {
  let ends = new Set([0]);
  path.forEach((part, index) => {
    if (part === ANY_LEVELS) ends = afterAnyLevels(ends, segments.length, index === path.length - 1);
    else ends = afterOneLevel(ends, part, segments);
  });
  return ends.has(segments.length);
}

/** At the end of a pattern `**` matches at least one level: `a/**` matches what is below `a`, not `a`. */
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

const MAX_ALTERNATIVES = 256;

/** Expands `a/{b,c}` to `a/b` and `a/c`; undefined when there are too many. Braces without a comma are literal. */
function expandBraces(pattern: string): string[] | undefined {
  const expanded: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = firstGroup(next);
    if (!group) expanded.push(next);
    else {
      const { before, choices, after } = group;
      waiting.push(...choices.map((choice) => before + choice + after).reverse());
    }
    if (expanded.length + waiting.length > MAX_ALTERNATIVES) return undefined;
  }
  return expanded;
}

interface Group {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The leftmost group with a comma of its own; groups inside its choices are expanded later. */
function firstGroup(pattern: string): Group | undefined {
  for (let start = nextBrace(pattern, 0); start !== -1; start = nextBrace(pattern, start + 1)) {
    const choices = readGroup(pattern, start);
    if (!choices) continue;
    const length = choices.reduce((sum, choice) => sum + choice.length + 1, 1);
    return { before: pattern.slice(0, start), choices, after: pattern.slice(start + length) };
  }
  return undefined;
}

function nextBrace(pattern: string, from: number): number {
  for (let at = from; at < pattern.length; at++) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '{') return at;
  }
  return -1;
}

function readGroup(pattern: string, start: number): string[] | undefined {
  const choices: string[] = [];
  let depth = 0;
  let choiceStart = start + 1;
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      choices.push(pattern.slice(choiceStart, at));
      choiceStart = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) return choices.length > 0 ? [...choices, pattern.slice(choiceStart, at)] : undefined;
    }
  }
  return undefined;
}

type Part = typeof ANY_TEXT | ((character: string) => boolean);
type SegmentPattern = readonly Part[];

const ANY_TEXT = Symbol('*');

/** Parses one level: `*`, `?`, `[..]`, and `\\` before a literal character. */
function parseSegment(text: string): SegmentPattern {
  const characters = [...text];
  const parts: Part[] = [];
  for (let at = 0; at < characters.length; ) {
    const [part, next] = readPart(characters, at);
    if (part !== ANY_TEXT || parts.at(-1) !== ANY_TEXT) parts.push(part);
    at = next;
  }
  return parts;
}

/** On a mismatch only the last `*` takes one more character; earlier ones need not be tried again. */
function matchSegment(parts: SegmentPattern, segment: string): boolean {
  const characters = [...segment];
  let part = 0;
  let at = 0;
  let star = -1;
  let starTook = 0;
  while (at < characters.length) {
    const test = parts[part];
    if (test === ANY_TEXT) {
      star = part++;
      starTook = at;
    } else if (test?.(characters[at] ?? '')) {
      part += 1;
      at += 1;
    } else if (star === -1) return false;
    else {
      part = star + 1;
      at = ++starTook;
    }
  }
  while (parts[part] === ANY_TEXT) part += 1;
  return part === parts.length;
}

function readPart(characters: readonly string[], at: number): [Part, next: number] {
  const character = characters[at] ?? '';
  if (character === '*') return [ANY_TEXT, at + 1];
  if (character === '?') return [() => true, at + 1];
  if (character === '[') return readBracket(characters, at) ?? [literal('['), at + 1];
  const escaped = characters[at + 1];
  if (character === '\\' && escaped !== undefined) return [literal(escaped), at + 2];
  return [literal(character), at + 1];
}

function literal(wanted: string): (character: string) => boolean {
  return (character) => character === wanted;
}

/** `]` right after the opening bracket (or its `!` or `^`) is literal, and so is a bracket without an end. */
function readBracket(characters: readonly string[], start: number): [Part, next: number] | undefined {
  const isNegated = characters[start + 1] === '!' || characters[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  const tests: ((character: string) => boolean)[] = [];
  for (let at = first; at < characters.length; ) {
    if (characters[at] === ']' && at > first) {
      return [(character) => tests.some((test) => test(character)) !== isNegated, at + 1];
    }
    const [test, next] = readNamedClass(characters, at) ?? readRange(characters, at);
    tests.push(test);
    at = next;
  }
  return undefined;
}

const NAMED_CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  word: /^\w$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

type Read = [test: (character: string) => boolean, next: number];

/** `[:alpha:]` */
function readNamedClass(characters: readonly string[], at: number): Read | undefined {
  if (characters[at] !== '[' || characters[at + 1] !== ':') return undefined;
  const [written = ''] = /^\[:[a-z]+:\]/.exec(characters.slice(at, at + 12).join('')) ?? [];
  const members = NAMED_CLASSES[written.slice(2, -2)];
  return members && [(character) => members.test(character), at + written.length];
}

function readRange(characters: readonly string[], start: number): Read {
  const [from, afterFrom] = readMember(characters, start);
  const isRange = characters[afterFrom] === '-' && (characters[afterFrom + 1] ?? ']') !== ']';
  if (!isRange) return [literal(from), afterFrom];
  const [to, next] = readMember(characters, afterFrom + 1);
  const low = from.codePointAt(0) ?? 0;
  const high = to.codePointAt(0) ?? 0;
  return [(character) => inRange(character.codePointAt(0) ?? 0, low, high), next];
}

function readMember(characters: readonly string[], at: number): [character: string, next: number] {
  const escaped = characters[at + 1];
  if (characters[at] === '\\' && escaped !== undefined) return [escaped, at + 2];
  return [characters[at] ?? '', at + 1];
}

function inRange(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}
