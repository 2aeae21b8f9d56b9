/** Ranks subjects by the words they share with the question (BM25), reading each once. Needs no index. */

import { compareCodePoints } from '../../base/text.ts';
import type { RankedSubject, RankRequest, SubjectCandidate, SubjectRanker } from './subject-ranker.ts';

export const bm25Ranker: SubjectRanker = {
  async rank({ words, candidates, limit }: RankRequest): Promise<readonly RankedSubject[]> {
    const wanted = new Set(wordsOf(words));
    if (wanted.size === 0) return [];
    const read = candidates.flatMap((candidate) => readCandidate(candidate, wanted));
    const weights = weightsOf(wanted, read);
    const averageLength = read.reduce((sum, { length }) => sum + length, 0) / read.length;
    return read
      .map((subject) => ({ subject, score: scoreOf(subject, weights, averageLength) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || compareCodePoints(a.subject.slug, b.subject.slug))
      .slice(0, limit)
      .map(({ subject: { slug, text } }) => ({ slug, passage: bestPassage(text, weights) }));
  },
};

/** The usual constants: how soon more of the same word stops to count, and how much length does. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** A word of the slug counts like this many in the text. */
const SLUG_WEIGHT = 4;

interface ReadSubject {
  readonly slug: string;
  readonly text: string;
  readonly length: number;
  /** How often each wanted word occurs. */
  readonly counts: ReadonlyMap<string, number>;
}

function readCandidate({ slug, text }: SubjectCandidate, wanted: ReadonlySet<string>): ReadSubject[] {
  const content = text();
  if (content === undefined) return [];
  const counts = new Map<string, number>();
  const count = (word: string, by: number) => {
    if (wanted.has(word)) counts.set(word, (counts.get(word) ?? 0) + by);
  };
  const contentWords = wordsOf(content);
  for (const word of contentWords) count(word, 1);
  for (const word of wordsOf(slug)) count(word, SLUG_WEIGHT);
  return [{ slug, text: content, length: contentWords.length + 1, counts }];
}

/** Rare words weigh more. */
function weightsOf(wanted: ReadonlySet<string>, subjects: readonly ReadSubject[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const word of wanted) {
    const having = subjects.filter(({ counts }) => counts.has(word)).length;
    weights.set(word, Math.log(1 + (subjects.length - having + 0.5) / (having + 0.5)));
  }
  return weights;
}

function scoreOf(subject: ReadSubject, weights: ReadonlyMap<string, number>, averageLength: number): number {
  const norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * (subject.length / averageLength));
  let score = 0;
  for (const [word, count] of subject.counts) {
    score += ((weights.get(word) ?? 0) * count * (SATURATION + 1)) / (count + norm);
  }
  return score;
}

/** A blank line ends a passage, and so does the next item of a list or row of a table. */
const PASSAGE_END = /\n(?=[ \t\r]*\n)|\n(?=[ \t]{0,8}(?:[-*+|]|\d{1,3}\.)[ \t])/;

/** The passage that has the most of the wanted words, by weight. */
function bestPassage(text: string, weights: ReadonlyMap<string, number>): string {
  return bestPassageBy(text, (passage) =>
    [...new Set(wordsOf(passage))].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0),
  );
}

/** The first one of the highest score. A heading alone says too little. */
export function bestPassageBy(text: string, scoreOfPassage: (passage: string) => number): string {
  const passages = text.split(PASSAGE_END).map((part) => part.trim());
  const telling = passages.filter((passage) => passage !== '' && !/^#{1,6} [^\n]*$/.test(passage));
  let best = { passage: passages[0] ?? '', score: -1 };
  for (const passage of telling) {
    const score = scoreOfPassage(passage);
    if (score > best.score) best = { passage, score };
  }
  return best.passage;
}

/** Lower case, and a plural is taken for its singular. */
function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word));
}
