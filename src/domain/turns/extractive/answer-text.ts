/** Answers a question with quotations: the passages that have most of its words, each with its citation. */

import { type TextBlock, textBlocks } from '../../search/index/text-blocks.ts';
import { isNearlyAsGood } from '../../search/ranking/fuse-scores.ts';
import { parseQuery, type QueryWord } from '../../words/parse-query.ts';
import { isStopWordOrFiller, termsOf } from '../../words/terms.ts';

export interface Candidate {
  readonly topic: string;
  readonly slug: string;
  /** As `learn` gives it: the file itself, or a fence around it. */
  readonly text: string;
}

const MAX_QUOTES = 3;
/** A passage with less of the question than this is about something else. */
const ENOUGH = 0.5;

export function answerText(question: string, candidates: readonly Candidate[]): string {
  const wanted = questionWords(question);
  const rated = candidates
    .flatMap((candidate) => bestOf(candidate, wanted))
    .sort((a, b) => b.passage.rating - a.passage.rating);
  const enough = rated.filter(({ passage }) => passage.coverage >= ENOUGH);
  const best = enough[0]?.passage.rating ?? 0;
  const quoted = enough.filter(({ passage }) => isNearlyAsGood(passage.rating, best)).slice(0, MAX_QUOTES);
  if (quoted.length === 0) return nothingFound(rated.map(({ candidate }) => candidate));
  return [
    'Quoted from what ken knows; no language model has read or judged it.',
    ...quoted.map(({ candidate, passage }) => quotation(candidate, passage)),
  ].join('\n\n');
}

/** The words that say what a question is about, as every search reads them; none in "What is it?". */
export function questionWords(question: string): readonly QueryWord[] {
  return parseQuery(question).words.filter(({ written }) => !isStopWordOrFiller(written));
}

interface RatedPassage extends TextBlock {
  /** The part of the question that it has the words of, from 0 to 1. */
  readonly coverage: number;
  /** Coverage, and a little more where the headings above it are about the question, too. Only for ordering. */
  readonly rating: number;
}

interface Rated {
  readonly candidate: Candidate;
  readonly passage: RatedPassage;
}

/** The best passage of a subject. */
function bestOf(candidate: Candidate, wanted: readonly QueryWord[]): Rated[] {
  const title = /^#\s+(.*)$/m.exec(candidate.text)?.[1] ?? '';
  const [passage] = textBlocks(candidate.text)
    .map((each) => ratedPassage(each, `${candidate.slug} ${title}`, wanted))
    .sort((a, b) => b.rating - a.rating || a.first - b.first);
  return passage ? [{ candidate, passage }] : [];
}

const UNDER_IT = 0.2;

/** Words in the passage itself count whole, those in its headings, its subject's slug and title half. */
function ratedPassage(passage: TextBlock, above: string, wanted: readonly QueryWord[]): RatedPassage {
  if (wanted.length === 0) return { ...passage, coverage: 0, rating: 0 };
  const own = new Set(termsOf(passage.text));
  const around = new Set(termsOf(`${above} ${passage.heading}`));
  const share = (worth: (word: QueryWord) => number) =>
    wanted.reduce((sum, word) => sum + worth(word), 0) / wanted.length;
  const coverage = share((word) => (isIn(own, word) ? 1 : isIn(around, word) ? 0.5 : 0));
  return { ...passage, coverage, rating: coverage + UNDER_IT * share((word) => Number(isIn(around, word))) };
}

function isIn(terms: ReadonlySet<string>, { term, isPrefix }: QueryWord): boolean {
  return terms.has(term) || (isPrefix && [...terms].some((each) => each.startsWith(term)));
}

function quotation({ topic, slug, text }: Candidate, passage: RatedPassage): string {
  const lines = passage.text.split('\n').map((line) => `> ${line}`);
  // A file that is no prose comes in a fence, whose first line is not the file's.
  const shift = /^(`{3,})\S+\n/.test(text) && textBlocks(text).length === 1 ? 1 : 0;
  const [first, last] = [Math.max(1, passage.first - shift), Math.max(1, passage.last - shift)];
  const range = first === last ? `L${first}` : `L${first}-L${last}`;
  const address = `ken://kb/${encodeURIComponent(topic)}/${slug.split('/').map(encodeURIComponent).join('/')}#${range}`;
  return `${lines.join('\n')}\n\n— ${address}${passage.heading ? ` (${passage.heading})` : ''}`;
}

function nothingFound(nearest: readonly Candidate[]): string {
  const near = [...new Set(nearest.map(({ topic, slug }) => `${topic}/${slug}`))].slice(0, MAX_QUOTES);
  const hint = near.length > 0 ? ` Nearest to it: ${near.join(', ')}.` : '';
  return `Nothing that ken knows here answers this.${hint}`;
}
