/** The lines of a chunk that are about the question. */

import { HEADING_SEPARATOR } from '../../chunks/chunk.ts';
import { fold, isPlain } from '../../words/characters.ts';
import { countTerms } from '../../words/terms.ts';
import type { StoredChunk } from '../index/index-item.ts';

/** The terms of a question with their weights. */
export type TermWeights = ReadonlyMap<string, number>;

const MOST_CHARACTERS = 240;
const MOST_UNITS = 6;

/**
 * Whole lines that follow each other, those with the most of the terms, without the indent they share. A line that is
 * too long is cut between words; an ellipsis says so. Without any of the terms: where the chunk, or what it defines,
 * begins.
 */
export function snippetOf(chunk: Pick<StoredChunk, 'body' | 'heading'>, terms: TermWeights): string {
  const units = unitsOf(chunk.body);
  const found = foundIn(units, terms);
  const start = bestStart(units, found) ?? definitionIn(units, chunk.heading);
  return textOf(units.slice(start, endOf(units, start)));
}

/** A line, or a part of one that is too long. */
interface Unit {
  readonly text: string;
  readonly isLineStart: boolean;
  readonly isLineEnd: boolean;
}

/** Without blank lines. */
function unitsOf(body: string): Unit[] {
  return body
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .flatMap((line) => {
      if (line.length <= MOST_CHARACTERS) return [{ text: line, isLineStart: true, isLineEnd: true }];
      const parts = line.match(PARTS) ?? [];
      return parts.map((text, at) => ({
        text,
        isLineStart: at === 0,
        isLineEnd: at === parts.length - 1,
      }));
    });
}

/** Between words where there are any, never inside a character. */
const PARTS = /.{1,80}\s+|.{1,80}$|.{1,80}/gsu;

/** For each unit the terms that it has. */
function foundIn(units: readonly Unit[], terms: TermWeights): TermWeights[] {
  const telling = tellingTerms(terms);
  if (telling.length === 0) return units.map(() => NONE);
  // Most units have none of them, and a look at the letters is much quicker than taking a text apart.
  const beginnings = new Set(telling.map(([term]) => RegExp.escape(term.slice(0, 3))));
  const near = new RegExp([...beginnings].join('|'), 'i');
  return units.map(({ text }) => {
    if (!near.test(isPlain(text) ? text : fold(text))) return NONE;
    const counts = new Map<string, number>();
    countTerms(text, 1, counts);
    return new Map(telling.filter(([term]) => counts.has(term)));
  });
}

/** Words that count so much less than the best one are everywhere. */
const LEAST_SHARE = 0.2;

function tellingTerms(terms: TermWeights): [string, number][] {
  const best = Math.max(0, ...terms.values());
  return [...terms].filter(([term, weight]) => term !== '' && weight >= best * LEAST_SHARE);
}

const NONE: TermWeights = new Map();

/**
 * Of the places that have a term themselves, the first with the most in what follows it; or the one before it, if that
 * says anything and nothing is lost.
 */
function bestStart(units: readonly Unit[], found: readonly TermWeights[]): number | undefined {
  const weightFrom = (start: number) => {
    const covered = new Map<string, number>();
    for (let at = start, end = endOf(units, start); at < end; at++)
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

function endOf(units: readonly Unit[], start: number): number {
  let room = MOST_CHARACTERS;
  let end = start;
  while (end < units.length && end - start < MOST_UNITS) {
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
