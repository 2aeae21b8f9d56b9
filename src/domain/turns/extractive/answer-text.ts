/** Answers a question with quotations from the hits of a search, each with the citation that opens exactly its lines. */

import { roleOf } from '../../references/search/reference-index.ts';
import { formatCitation, parseCitation } from '../../search/citations/citation.ts';
import { textBlocks } from '../../search/index/text-blocks.ts';
import type { Outcome } from '../../search/ranking/outcome.ts';
import { informationOf } from '../../words/common-terms.ts';
import { parseQuery, type QueryWord } from '../../words/parse-query.ts';
import { isStopWordOrFiller, termsOf } from '../../words/terms.ts';

export interface FoundText {
  /** Citation of the whole text. */
  readonly uri: string;
  readonly title: string;
  readonly text: string;
  /** Whether the lines of the text are those that the citation opens, so that a part of them can be cited. */
  readonly hasLines: boolean;
}

/** The result of a search, best first. */
export interface Finding {
  readonly outcome: Outcome;
  readonly texts: readonly FoundText[];
}

const MAX_QUOTES = 3;
/** Lines of all quotations together. */
const MAX_LINES = 12;
/** A further quotation is rated at least so. */
const ENOUGH = 0.35;
const NOTHING = 'Nothing that ken knows here answers this.';

/** The first quotation is always of the best hit; further ones follow where they say enough of what was asked. */
export function answerText(question: string, { outcome, texts }: Finding): string {
  const wanted = questionWords(question);
  const [first, ...others] = texts.map((found) => bestQuotation(found, wanted));
  if (outcome === 'nothing' || !first) return NOTHING;
  if (outcome === 'nearest') return `${NOTHING} The nearest:\n\n${quoted(first)}`;
  const further = others.filter(({ rating }) => rating >= ENOUGH);
  return [
    'Quoted from what ken knows; no language model has read or judged it.',
    ...withinLines([first, ...further], wanted).map(quoted),
  ].join('\n\n');
}

/** Words that carry the subject of a question; none in "What is it?". */
export function questionWords(question: string): readonly QueryWord[] {
  return parseQuery(question).words.filter(({ written }) => !isStopWordOrFiller(written));
}

interface Quotation {
  readonly found: FoundText;
  /** Lines of the text, from 0; `end` is not included. */
  readonly start: number;
  readonly end: number;
  /** Share of the question that the lines have, raised a little by the names above them. */
  readonly rating: number;
}

/** Takes quotations as long as there is room, shortened where they must be; a text that was quoted before says nothing new. */
function withinLines(quotations: readonly Quotation[], wanted: readonly QueryWord[]): Quotation[] {
  const taken: Quotation[] = [];
  let room = MAX_LINES;
  for (const quotation of quotations) {
    const isKnown = taken.some(({ found }) => found.text === quotation.found.text);
    if (taken.length === MAX_QUOTES || room < LEAST_ROOM || isKnown) continue;
    const lines = quotation.found.text.split('\n');
    const fitting = narrowestBest(lines, quotation, wanted, room);
    taken.push({ ...quotation, ...fitting });
    room -= fitting.end - fitting.start;
  }
  return taken;
}

/** One line torn out of a paragraph is no quotation. */
const LEAST_ROOM = 2;

interface Range {
  readonly start: number;
  readonly end: number;
}

function bestQuotation(found: FoundText, wanted: readonly QueryWord[]): Quotation {
  const lines = found.text.split('\n');
  const blocks = blocksOf(found);
  const rated = blocks.map(({ heading, ...range }, at) => {
    const narrowed = narrowestBest(lines, range, wanted);
    const share = shareOf(linesText(lines, narrowed), wanted);
    const above = shareOf(`${found.title} ${heading}`, wanted);
    return { at, ...narrowed, rating: share + UNDER_IT * above };
  });
  const best = rated.reduce((one, other) => (other.rating > one.rating ? other : one), rated[0] ?? WHOLE);
  const next = blocks[best.at + 1];
  const led = next && isLeadIn(linesText(lines, best)) ? withNext(best, next) : best;
  return { found, ...led, rating: best.rating };
}

const UNDER_IT = 0.2;
const WHOLE = { at: 0, start: 0, end: 1, rating: 0 };

/** Paragraphs, lists and fences of prose with their headings; of code, the lines between blank ones. */
function blocksOf({ uri, text }: FoundText): (Range & { readonly heading: string })[] {
  if (!isCode(uri))
    return textBlocks(text).map(({ first, last, heading }) => ({ start: first - 1, end: last, heading }));
  const lines = text.split('\n');
  const blocks: (Range & { readonly heading: string })[] = [];
  for (let start = 0; start < lines.length; ) {
    let end = start;
    while (end < lines.length && lines[end]?.trim() !== '') end += 1;
    if (end > start) blocks.push({ start, end, heading: '' });
    start = end + 1;
  }
  return blocks;
}

function isCode(uri: string): boolean {
  const citation = parseCitation(uri);
  return citation?.kind === 'reference' && roleOf(citation.path) === 'code';
}

/** Lines of one quotation; more lines are cut to those with most of the question. */
const MAX_QUOTED = 8;

function narrowestBest(
  lines: readonly string[],
  { start, end }: Range,
  wanted: readonly QueryWord[],
  most = MAX_QUOTED,
): Range {
  if (end - start <= most) return { start, end };
  let best = { start, share: -1 };
  for (let from = start; from + most <= end; from++) {
    const share = shareOf(linesText(lines, { start: from, end: from + most }), wanted);
    if (share > best.share) best = { start: from, share };
  }
  return { start: best.start, end: best.start + most };
}

function linesText(lines: readonly string[], { start, end }: Range): string {
  return lines.slice(start, end).join('\n');
}

/** "Run this:" says little without what it leads to. */
function isLeadIn(text: string): boolean {
  return text.trimEnd().endsWith(':');
}

function withNext(range: Range, next: Range): Range {
  return { start: range.start, end: Math.min(next.end, range.start + MAX_LINES) };
}

/** Weighted by how much each word says. */
function shareOf(text: string, wanted: readonly QueryWord[]): number {
  const terms = new Set(termsOf(text));
  const weights = wanted.map(({ term }) => Math.max(LEAST_INFORMATION, informationOf(term)));
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const found = weights.filter((_, at) => isIn(terms, wanted[at] as QueryWord));
  return found.reduce((sum, weight) => sum + weight, 0) / total;
}

const LEAST_INFORMATION = 0.05;

function isIn(terms: ReadonlySet<string>, { term, isPrefix }: QueryWord): boolean {
  return terms.has(term) || (isPrefix && [...terms].some((each) => each.startsWith(term)));
}

function quoted({ found, start, end }: Quotation): string {
  const lines = found.text.split('\n').slice(start, end);
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n— ${citedAt(found, { start, end })}`;
}

function citedAt({ uri, hasLines }: FoundText, { start, end }: Range): string {
  const citation = hasLines ? parseCitation(uri) : undefined;
  if (!citation || citation.kind === 'turn' || citation.parts) return uri;
  const first = citation.lines?.first ?? 1;
  return formatCitation({ ...citation, lines: { first: first + start, last: first + end - 1 } });
}
