/** Answers a question with quotations: the blocks that have most of its words, each with its citation. */

import { type TextBlock, textBlocks } from '../../search/index/text-blocks.ts';
import { isNearlyAsGood } from '../../search/ranking/fuse-scores.ts';
import { parseQuery, type QueryWord } from '../../words/parse-query.ts';
import { isStopWordOrFiller, termsOf } from '../../words/terms.ts';

export interface Candidate {
  readonly topic: string;
  readonly slug: string;
  /** As `learn` returns it: the file itself, or a fence around it. */
  readonly text: string;
}

const MAX_QUOTES = 3;
/** A block with less of the question than this is about something else. */
const ENOUGH = 0.5;

export function answerText(question: string, candidates: readonly Candidate[]): string {
  const wanted = questionWords(question);
  const rated = candidates
    .flatMap((candidate) => bestOf(candidate, wanted))
    .sort((a, b) => b.block.rating - a.block.rating);
  const enough = rated.filter(({ block }) => block.coverage >= ENOUGH);
  const best = enough[0]?.block.rating ?? 0;
  const quoted = enough.filter(({ block }) => isNearlyAsGood(block.rating, best)).slice(0, MAX_QUOTES);
  if (quoted.length === 0) return nothingFound(rated.map(({ candidate }) => candidate));
  return [
    'Quoted from what ken knows; no language model has read or judged it.',
    ...quoted.map(({ candidate, block }) => quotation(candidate, block)),
  ].join('\n\n');
}

/** Words that carry the subject of a question; none in "What is it?". */
export function questionWords(question: string): readonly QueryWord[] {
  return parseQuery(question).words.filter(({ written }) => !isStopWordOrFiller(written));
}

interface RatedBlock extends TextBlock {
  /** Share of the question's words that it has, from 0 to 1. */
  readonly coverage: number;
  /** Coverage, raised a little where the headings above are about the question too. Only for ordering. */
  readonly rating: number;
}

function bestOf(candidate: Candidate, wanted: readonly QueryWord[]) {
  const title = /^#\s+(.*)$/m.exec(candidate.text)?.[1] ?? '';
  const [block] = textBlocks(candidate.text)
    .map((each) => ratedBlock(each, `${candidate.slug} ${title}`, wanted))
    .sort((a, b) => b.rating - a.rating || a.first - b.first);
  return block ? [{ candidate, block }] : [];
}

const UNDER_IT = 0.2;

/** Words in the block itself count whole, those in its headings, its subject's slug and title half. */
function ratedBlock(block: TextBlock, above: string, wanted: readonly QueryWord[]): RatedBlock {
  if (wanted.length === 0) return { ...block, coverage: 0, rating: 0 };
  const own = new Set(termsOf(block.text));
  const around = new Set(termsOf(`${above} ${block.heading}`));
  const share = (worth: (word: QueryWord) => number) =>
    wanted.reduce((sum, word) => sum + worth(word), 0) / wanted.length;
  const coverage = share((word) => (isIn(own, word) ? 1 : isIn(around, word) ? 0.5 : 0));
  return { ...block, coverage, rating: coverage + UNDER_IT * share((word) => Number(isIn(around, word))) };
}

function isIn(terms: ReadonlySet<string>, { term, isPrefix }: QueryWord): boolean {
  return terms.has(term) || (isPrefix && [...terms].some((each) => each.startsWith(term)));
}

function quotation({ topic, slug, text }: Candidate, block: RatedBlock): string {
  const lines = block.text.split('\n').map((line) => `> ${line}`);
  // A file that is not prose comes in a fence, whose first line is not the file's.
  const shift = /^(`{3,})\S+\n/.test(text) && textBlocks(text).length === 1 ? 1 : 0;
  const [first, last] = [Math.max(1, block.first - shift), Math.max(1, block.last - shift)];
  const range = first === last ? `L${first}` : `L${first}-L${last}`;
  const address = `ken://kb/${encodeURIComponent(topic)}/${slug.split('/').map(encodeURIComponent).join('/')}#${range}`;
  return `${lines.join('\n')}\n\n— ${address}${block.heading ? ` (${block.heading})` : ''}`;
}

function nothingFound(nearest: readonly Candidate[]): string {
  const near = [...new Set(nearest.map(({ topic, slug }) => `${topic}/${slug}`))].slice(0, MAX_QUOTES);
  const hint = near.length > 0 ? ` Nearest to it: ${near.join(', ')}.` : '';
  return `Nothing that ken knows here answers this.${hint}`;
}
