/** The ways to rank that are compared: each answers ids of texts, best first. */

import { type SearchEngine, searchEngine } from '../../src/domain/search/engine/search-engine.ts';
import { grepRanking } from '../../src/domain/search/quality/measure-questions.ts';
import {
  meanQuality,
  percentile,
  type RankingQuality,
  rankingQuality,
} from '../../src/domain/search/quality/ranking-quality.ts';
import type { CollectionText, Question } from './collections.ts';
import { embedder, type IndexedCollection } from './indexed-collection.ts';

export interface Measured extends RankingQuality {
  readonly p50: number;
  readonly p95: number;
}

type Ranking = (question: Question) => string[] | Promise<string[]>;

export type RankingName = 'grep' | 'bm25' | 'hybrid';

/** Deep enough for a hundred parents. */
const DEPTH = 200;

export async function measureRankings(collection: IndexedCollection): Promise<Record<RankingName, Measured>> {
  const { store } = collection;
  return {
    grep: await measure(collection, byGrep(collection.texts)),
    bm25: await measure(collection, byEngine(searchEngine({ stores: [store], embedder: undefined }))),
    hybrid: await measure(collection, byEngine(searchEngine({ stores: [store], embedder }))),
  };
}

async function measure({ texts, questions }: IndexedCollection, rank: Ranking): Promise<Measured> {
  const parents = new Map(texts.map(({ id, parent = id }) => [id, parent]));
  const qualities: RankingQuality[] = [];
  const times: number[] = [];
  for (const question of questions) {
    const started = performance.now();
    const ids = await rank(question);
    times.push(performance.now() - started);
    const ranked = [...new Set(ids.map((id) => parents.get(id) ?? id))];
    const wanted = ranked.filter((id) => !question.exclude?.includes(id));
    qualities.push(rankingQuality(question.relevant, wanted));
  }
  return { ...meanQuality(qualities), p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

function byEngine(engine: SearchEngine): Ranking {
  return async ({ text, group }) => {
    const { hits, nearMisses } = await engine.search({
      question: text,
      limit: DEPTH,
      ...(group !== undefined && { isWantedGroup: ({ topic }) => topic === group }),
    });
    return [...hits, ...nearMisses].map(({ chunk }) => chunk.id);
  };
}

function byGrep(texts: readonly CollectionText[]): Ranking {
  const inGroup = new Map(
    Map.groupBy(texts, ({ group }) => group)
      .entries()
      .map(([group, members]) => [group, grepRanking(members.map(searched))]),
  );
  const inAll = grepRanking(texts.map(searched));
  return ({ text, group }) =>
    (group === undefined ? inAll : inGroup.get(group))?.(text, DEPTH).map(({ id }) => id) ?? [];
}

function searched({ id, title = '', text }: CollectionText) {
  return { id, text: `${title}\n${text}` };
}
