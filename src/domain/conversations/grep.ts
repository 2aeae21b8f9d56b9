import { Fault } from '../../base/fault.ts';
import { lazy } from '../../base/lazy.ts';
import type { ConversationEvent } from './event.ts';
import { eventTexts, type TextKind } from './event-text.ts';

export interface GrepPattern {
  readonly pattern: string;
  readonly isRegex: boolean;
  readonly ignoreCase: boolean;
}

export interface GrepLine {
  readonly turn: number;
  readonly kind: TextKind;
  readonly text: string;
  /** False for the lines around a match. */
  readonly isMatch: boolean;
}

/** Tests every line of a text. */
export type LinesTest = (patterns: Patterns, lines: readonly string[]) => Promise<readonly boolean[]>;

/** Runs expressions that a user wrote. A Fault when one takes too long. */
export interface Patterns {
  test(expression: RegExp, lines: readonly string[]): Promise<readonly boolean[]>;
}

/** A usage Fault when the expression cannot be read. */
export function linesTest({ pattern, isRegex, ignoreCase }: GrepPattern): LinesTest {
  if (!isRegex) {
    const wanted = ignoreCase ? pattern.toLowerCase() : pattern;
    return async (_, lines) => lines.map((line) => (ignoreCase ? line.toLowerCase() : line).includes(wanted));
  }
  try {
    const expression = new RegExp(pattern, ignoreCase ? 'iu' : 'u');
    return (patterns, lines) => patterns.test(expression, lines);
  } catch (error) {
    throw new Fault('conversations/bad-pattern', `This is not a regular expression: ${pattern}`, {
      hint: `${(error as Error).message}.`,
      cause: error,
    });
  }
}

/** A text that every matching line contains and that JSON spells in one way only; undefined where there is none. */
export function fragmentOf({ pattern, isRegex, ignoreCase }: GrepPattern): string | undefined {
  if (isRegex || ignoreCase || !pattern.isWellFormed()) return undefined;
  const parts = pattern.split(writtenInManyWays());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best));
  return longest === '' ? undefined : longest;
}

/** Characters that JSON escapes or uses itself, and the space between a tool and its arguments. */
const writtenInManyWays = lazy(() => /[\s"\\/{}[\]:,\p{Cc}]+/u);

export async function* grepEvents(
  patterns: Patterns,
  events: Iterable<ConversationEvent>,
  { matches, context }: { readonly matches: LinesTest; readonly context: number },
): AsyncGenerator<GrepLine> {
  for (const { kind, turn, text } of eventTexts(events)) {
    const lines = text.split('\n');
    const hits = (await matches(patterns, lines)).flatMap((isHit, at) => (isHit ? [at] : []));
    if (hits.length === 0) continue;
    const matched = new Set(hits);
    for (const at of around(hits, context, lines.length)) {
      yield { turn, kind, text: lines[at] ?? '', isMatch: matched.has(at) };
    }
  }
}

function around(hits: readonly number[], context: number, count: number): readonly number[] {
  if (context === 0) return hits;
  const wanted = new Set<number>();
  for (const hit of hits) {
    for (let at = Math.max(0, hit - context); at <= Math.min(count - 1, hit + context); at++) wanted.add(at);
  }
  return [...wanted].sort((a, b) => a - b);
}
