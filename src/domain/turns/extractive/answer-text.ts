/** An answer made of quotations. */

import { textBlocks } from '../../search/index/text-blocks.ts';
import { questionWords } from './question-words.ts';
import { type RatedPassage, ratedPassages } from './rated-passages.ts';

export interface Candidate {
  readonly topic: string;
  readonly slug: string;
  /** As `learn` gives it: the file itself, or a fence around it. */
  readonly text: string;
}

const MAX_QUOTES = 3;
/** Less of the question than this, and a passage is about something else. */
const ENOUGH = 0.5;
/** A further quote must be nearly as good as the best. */
const NEARLY = 0.8;

export function answerText(question: string, candidates: readonly Candidate[]): string {
  const wanted = questionWords(question);
  const rated = candidates
    .flatMap((candidate) => bestOf(candidate, wanted))
    .sort((a, b) => b.passage.rating - a.passage.rating);
  const best = rated.find(({ passage }) => passage.coverage >= ENOUGH)?.passage;
  const quoted = best ? rated.filter(({ passage }) => isNearly(passage, best)).slice(0, MAX_QUOTES) : [];
  if (quoted.length === 0) return nothingFound(rated.map(({ candidate }) => candidate));
  return [
    'Quoted from what ken knows; no language model has read or judged it.',
    ...quoted.map(({ candidate, passage }) => quotation(candidate, passage)),
  ].join('\n\n');
}

function isNearly(passage: RatedPassage, best: RatedPassage): boolean {
  return passage.coverage >= ENOUGH && passage.rating >= best.rating * NEARLY;
}

interface Rated {
  readonly candidate: Candidate;
  readonly passage: RatedPassage;
}

function bestOf(candidate: Candidate, wanted: readonly string[]): Rated[] {
  const title = /^#\s+(.*)$/m.exec(candidate.text)?.[1] ?? '';
  const [passage] = ratedPassages(candidate.text, `${candidate.slug} ${title}`, wanted);
  return passage ? [{ candidate, passage }] : [];
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
