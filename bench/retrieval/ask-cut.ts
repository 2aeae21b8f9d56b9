/** Puts the questions of a cut to ken and notes how each went. */

import { type SearchResult, searchEngine } from '../../src/domain/search/engine/search-engine.ts';
import { type RankingQuality, rankingQuality } from '../../src/domain/search/quality/ranking-quality.ts';
import type { Outcome } from '../../src/domain/search/ranking/outcome.ts';
import type { AskedQuestion, Cut } from './cuts.ts';
import { embedder, type IndexedTexts, indexTexts } from './indexed-cut.ts';

export type Mode = 'words' | 'hybrid';

export interface Asked {
  readonly collection: string;
  readonly size: Cut['size'];
  readonly question: AskedQuestion;
  readonly mode: Mode;
  readonly result: SearchResult;
  readonly outcome: Outcome;
  /** The document of each hit and near miss, best first. */
  readonly documents: readonly string[];
  /** Quality of all that was found, and of what is shown of it; only for questions that have an answer. */
  readonly undecided: RankingQuality | undefined;
  readonly delivered: RankingQuality | undefined;
  readonly milliseconds: number;
}

/** Deep enough for ten documents of three chunks each. */
const DEPTH = 40;
/** As many hits of a file as a search lists. */
const PER_ITEM = 3;

export async function askCut(cut: Cut, modes: readonly Mode[]): Promise<Asked[]> {
  const name = `${cut.collection}-${cut.size}-${cut.number}`;
  const isNear = ({ sort }: AskedQuestion) => sort === 'near-miss' && cut.withoutAnswers !== undefined;
  const asked = await askTexts(cut, { name, texts: cut.texts, modes, isAsked: (each) => !isNear(each) });
  const { withoutAnswers } = cut;
  if (!withoutAnswers) return asked;
  const near = { name: `${name}-without`, texts: withoutAnswers, modes, isAsked: isNear };
  return [...asked, ...(await askTexts(cut, near))];
}

interface Part {
  readonly name: string;
  readonly texts: Cut['texts'];
  readonly modes: readonly Mode[];
  isAsked(question: AskedQuestion): boolean;
}

async function askTexts(cut: Cut, { name, texts, modes, isAsked }: Part): Promise<Asked[]> {
  const indexed = await indexTexts(name, texts);
  const asked: Asked[] = [];
  for (const mode of modes) {
    const engine = searchEngine({
      stores: [indexed.store],
      embedder: mode === 'hybrid' ? embedder : undefined,
    });
    for (const question of cut.asked.filter(isAsked)) {
      const { group } = question;
      const started = performance.now();
      const result = await engine.search({
        question: question.text,
        limit: question.sort === 'own' ? DEPTH : 10,
        perItem: PER_ITEM,
        ...(group !== undefined && { isWantedGroup: ({ topic }) => topic === group }),
      });
      const milliseconds = performance.now() - started;
      asked.push({ ...judged(cut, question, result, indexed), mode, milliseconds });
    }
  }
  await indexed.close();
  return asked;
}

function judged(
  { collection, size }: Cut,
  question: AskedQuestion,
  result: SearchResult,
  { textOf }: IndexedTexts,
): Omit<Asked, 'mode' | 'milliseconds'> {
  const { outcome } = result;
  const documents = [...result.hits, ...result.nearMisses].map(({ chunk }) => textOf(chunk).document);
  const found = [...new Set(documents)].filter((id) => !question.exclude?.includes(id));
  const isOwn = question.sort === 'own';
  const undecided = isOwn ? rankingQuality(question.relevant, found) : undefined;
  const delivered = isOwn ? rankingQuality(question.relevant, outcome === 'nothing' ? [] : found) : undefined;
  return { collection, size, question, result, outcome, documents, undecided, delivered };
}
