import { CUT_MARK, estimateTokens } from '../../../base/text.ts';
import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import { fold, isPlain } from '../../words/characters.ts';
import { termsAmong, wantedTerms } from '../../words/terms.ts';
import type { StoredChunk } from '../index/index-item.ts';

export type TermWeights = ReadonlyMap<string, number>;

interface Size {
  readonly characters: number;
  readonly units: number;
}

const SNIPPET: Size = { characters: 240, units: 6 };

/**
 * Consecutive whole lines with the most of the terms, without their common indent. Cuts a long line between words.
 * Without any of the terms: the beginning of the chunk, or of what it defines.
 */
export function snippetOf(chunk: Excerpted, terms: TermWeights): string {
  return excerptOf(chunk, terms, SNIPPET).text;
}

/** The snippet, and the line of the file that has the most of the terms; no line where chunks have none. */
export function snippetAndLine(
  chunk: Excerpted & Pick<StoredChunk, 'firstLine'>,
  terms: TermWeights,
): { readonly snippet: string; readonly line?: number } {
  const { text, bestLine } = excerptOf(chunk, terms, SNIPPET);
  return { snippet: text, ...(chunk.firstLine > 0 && { line: chunk.firstLine + bestLine }) };
}

/** The chunk whole, or its part with the most of the terms, of about so many estimated tokens. Dots mark the cuts. */
export function shortenedText(chunk: Excerpted, terms: TermWeights, tokens: number): string {
  const { body } = chunk;
  if (estimateTokens(body) <= tokens) return body;
  const characters = Math.floor((tokens * body.length) / estimateTokens(body)) - 2 * CUT_MARK.length;
  const { text, isStart, isEnd } = excerptOf(chunk, terms, { characters, units: Number.POSITIVE_INFINITY });
  return `${isStart ? '' : `${CUT_MARK}\n`}${text}${isEnd ? '' : `\n${CUT_MARK}`}`;
}

type Excerpted = Pick<StoredChunk, 'body' | 'heading'>;

function excerptOf(chunk: Excerpted, terms: TermWeights, size: Size) {
  const units = unitsOf(chunk.body);
  const found = foundIn(units, terms);
  const start = bestStart(units, found, size) ?? definitionIn(units, chunk.heading);
  const end = endOf(units, start, size);
  const weightAt = (at: number) => found[at]?.values().reduce((sum, weight) => sum + weight, 0) ?? 0;
  let best = start;
  for (let at = start + 1; at < end; at++) if (weightAt(at) > weightAt(best)) best = at;
  return {
    text: textOf(units.slice(start, end)),
    isStart: start === 0,
    isEnd: end === units.length,
    /** Counted from 0, from the beginning of the chunk. */
    bestLine: units[best]?.line ?? 0,
  };
}

interface Unit {
  readonly text: string;
  /** Counted from 0. */
  readonly line: number;
  readonly isLineStart: boolean;
  readonly isLineEnd: boolean;
}

function unitsOf(body: string): Unit[] {
  return body
    .split('\n')
    .map((written, line) => ({ text: written.trimEnd(), line }))
    .filter(({ text }) => text !== '')
    .flatMap(({ text: whole, line }) => {
      if (whole.length <= SNIPPET.characters)
        return [{ text: whole, line, isLineStart: true, isLineEnd: true }];
      const parts = whole.match(PARTS) ?? [];
      return parts.map((text, at) => ({
        text,
        line,
        isLineStart: at === 0,
        isLineEnd: at === parts.length - 1,
      }));
    });
}

/** Cuts after a sentence or between words where possible, never inside a character. */
const PARTS = /.{1,160}?[.!?]["')\]]?\s+|.{1,80}\s+|.{1,80}$|.{1,80}/gsu;

/** The terms that each unit has. */
function foundIn(units: readonly Unit[], terms: TermWeights): TermWeights[] {
  const telling = tellingTerms(terms);
  if (telling.length === 0) return units.map(() => NONE);
  // Most units have none of the terms, and comparing letters is much faster than splitting into words.
  const beginnings = new Set(telling.map(([term]) => RegExp.escape(term.slice(0, 3))));
  const near = new RegExp([...beginnings].join('|'), 'i');
  const wanted = wantedTerms(telling.map(([term]) => term));
  return units.map(({ text }) => {
    if (!near.test(isPlain(text) ? text : fold(text))) return NONE;
    const there = new Set(termsAmong(text, wanted));
    return new Map(telling.filter(([term]) => there.has(term)));
  });
}

/** Words with a smaller share of the best weight are too common to count. */
const LEAST_SHARE = 0.2;

function tellingTerms(terms: TermWeights): [string, number][] {
  const best = Math.max(0, ...terms.values());
  return [...terms].filter(([term, weight]) => term !== '' && weight >= best * LEAST_SHARE);
}

const NONE: TermWeights = new Map();

/** The first place with a term whose following lines have the most terms; if nothing is lost, the line before it. */
function bestStart(units: readonly Unit[], found: readonly TermWeights[], size: Size): number | undefined {
  const weightFrom = (start: number) => {
    const covered = new Map<string, number>();
    for (let at = start, end = endOf(units, start, size); at < end; at++)
      for (const [term, weight] of found[at] ?? NONE) covered.set(term, weight);
    return covered.values().reduce((sum, weight) => sum + weight, 0);
  };
  let best: number | undefined;
  let bestWeight = 0;
  for (const [start, { size }] of found.entries()) {
    const weight = size > 0 ? weightFrom(start) : 0;
    if (weight <= bestWeight) continue;
    best = start;
    bestWeight = weight;
  }
  const before = best === undefined ? undefined : units[best - 1];
  if (best === undefined || !before || !/[\p{L}\p{N}]/u.test(before.text)) return best;
  return weightFrom(best - 1) >= bestWeight ? best - 1 : best;
}

/** The first unit that mentions the innermost name of the heading. */
function definitionIn(units: readonly Unit[], heading: string): number {
  const names = heading.split(HEADING_SEPARATOR).at(-1)?.split(', ').filter(Boolean) ?? [];
  return Math.max(
    0,
    units.findIndex(({ text }) => names.some((name) => text.includes(name))),
  );
}

function endOf(units: readonly Unit[], start: number, size: Size): number {
  let room = size.characters;
  let end = start;
  while (end < units.length && end - start < size.units) {
    room -= units[end]?.text.length ?? 0;
    if (room < 0 && end > start) break;
    end += 1;
  }
  return end;
}

function textOf(units: readonly Unit[]): string {
  const [first] = units;
  const last = units.at(-1);
  if (!first || !last) return '';
  const indents = units.filter(({ isLineStart }) => isLineStart).map(({ text }) => text.search(/\S/));
  const indent = first.isLineStart ? Math.min(...indents) : 0;
  const text = units
    .map(
      ({ text, isLineStart, isLineEnd }) =>
        `${isLineStart ? text.slice(indent) : text}${isLineEnd ? '\n' : ''}`,
    )
    .join('')
    .trimEnd();
  return `${first.isLineStart ? '' : '…'}${text}${last.isLineEnd ? '' : '…'}`;
}
