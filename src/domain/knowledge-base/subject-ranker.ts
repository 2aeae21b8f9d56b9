import { compareCodePoints } from '../../base/text.ts';
import { fitsPhrases } from '../words/contains-phrase.ts';
import { type ParsedQuery, parseQuery, type QueryWord } from '../words/parse-query.ts';
import { bm25, countTerms, rarityOf } from '../words/terms.ts';

export interface SubjectRanker {
  /** Best first, at most `limit`; leaves out subjects that do not match. */
  rank(request: RankRequest): Promise<readonly RankedSubject[]>;
}

export interface RankRequest {
  readonly topicId: string;
  readonly words: string;
  readonly candidates: readonly SubjectCandidate[];
  readonly limit: number;
}

export interface SubjectCandidate {
  readonly slug: string;
  /** Reads the text on demand; undefined when it cannot be read. */
  text(): string | undefined;
}

export interface RankedSubject {
  readonly slug: string;
  /** The lines of the subject that answer best, unchanged. */
  readonly snippet: string;
}

/** Ranks subjects by the words they share with a question, reading each once. Needs no index. */
export const bm25Ranker: SubjectRanker = {
  async rank({ words, candidates, limit }: RankRequest): Promise<readonly RankedSubject[]> {
    const query = parseQuery(words);
    const read = candidates.flatMap(readCandidate);
    const weighed = query.words.map((word) => weighedWord(word, read));
    const averageLength = read.reduce((sum, { length }) => sum + length, 0) / read.length;
    const weights = new Map(weighed.flatMap(({ terms, weight }) => terms.map((term) => [term, weight])));
    return read
      .filter((subject) => isAllowed(subject, query))
      .map((subject) => ({ subject, score: scoreOf(subject, weighed, averageLength) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || compareCodePoints(a.subject.slug, b.subject.slug))
      .slice(0, limit)
      .map(({ subject: { slug, text } }) => ({ slug, snippet: bestSnippet(text, weights) }));
  },
};

/** A word in the slug counts as much as this many in the text. */
const SLUG_WEIGHT = 4;

interface ReadSubject {
  readonly slug: string;
  readonly text: string;
  readonly length: number;
  readonly counts: ReadonlyMap<string, number>;
}

function readCandidate({ slug, text }: SubjectCandidate): ReadSubject[] {
  const content = text();
  if (content === undefined) return [];
  const counts = new Map<string, number>();
  const length = countTerms(content, 1, counts) + 1;
  countTerms(slug, SLUG_WEIGHT, counts);
  return [{ slug, text: content, length, counts }];
}

interface WeighedWord {
  /** One term, or all that begin with the word when it is a prefix. */
  readonly terms: readonly string[];
  readonly weight: number;
}

function weighedWord({ term, isPrefix }: QueryWord, read: readonly ReadSubject[]): WeighedWord {
  const known = new Set(isPrefix ? read.flatMap(({ counts }) => [...counts.keys()]) : []);
  const terms = isPrefix ? [...known].filter((each) => each.startsWith(term)) : [term];
  const having = read.filter((subject) => frequencyIn(subject, terms) > 0).length;
  return { terms, weight: rarityOf(read.length, having) };
}

function frequencyIn({ counts }: ReadSubject, terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + (counts.get(term) ?? 0), 0);
}

function isAllowed({ slug, text, counts }: ReadSubject, query: ParsedQuery): boolean {
  return !query.excludedTerms.some((term) => counts.has(term)) && fitsPhrases(query, [text, slug]);
}

function scoreOf(subject: ReadSubject, words: readonly WeighedWord[], averageLength: number): number {
  const relativeLength = subject.length / averageLength;
  return words.reduce(
    (sum, { terms, weight }) => sum + weight * bm25(frequencyIn(subject, terms), relativeLength),
    0,
  );
}

/** A blank line ends a snippet, and so does the next item of a list or row of a table. */
const SNIPPET_END = /\n(?=[ \t\r]*\n)|\n(?=[ \t]{0,8}(?:[-*+|]|\d{1,3}\.)[ \t])/;

/** The first snippet that has the most of the wanted terms, by weight. A heading alone says too little. */
export function bestSnippet(text: string, weights: ReadonlyMap<string, number>): string {
  const snippets = text.split(SNIPPET_END).map((part) => part.trim());
  const telling = snippets.filter((snippet) => snippet !== '' && !/^#{1,6} [^\n]*$/.test(snippet));
  let best = { snippet: snippets[0] ?? '', score: -1 };
  for (const snippet of telling) {
    const score = weightOf(snippet, weights);
    if (score > best.score) best = { snippet, score };
  }
  return best.snippet;
}

function weightOf(snippet: string, weights: ReadonlyMap<string, number>): number {
  const counts = new Map<string, number>();
  countTerms(snippet, 1, counts);
  return [...counts.keys()].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
}
