/** Questions of each collection put to each: does the engine know when it has no answer? */

import { searchEngine } from '../../src/domain/search/engine/search-engine.ts';
import type { Embedder } from '../../src/domain/search/index/embedder.ts';
import type { Signals } from '../../src/domain/search/ranking/judge-relevance.ts';
import type { Question } from './collections.ts';
import type { IndexedCollection } from './indexed-collection.ts';

export interface Judged {
  /** Whose texts were searched. */
  readonly asked: string;
  /** Whose question it was. */
  readonly from: string;
  readonly hasAbstained: boolean;
  readonly signals: Signals | undefined;
}

/** Questions of a collection that are asked, evenly spread over all. */
const SAMPLE = 250;

export async function judgeAll(
  collections: readonly IndexedCollection[],
  embedder: Embedder | undefined,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const { name: asked, store } of collections) {
    const engine = searchEngine({ stores: [store], embedder });
    for (const { name: from, questions } of collections) {
      for (const { text, group } of sampleOf(questions)) {
        const isOwn = from === asked && group !== undefined;
        const { hasAbstained, signals } = await engine.search({
          question: text,
          limit: 5,
          ...(isOwn && { isWantedGroup: ({ topic }) => topic === group }),
        });
        judged.push({ asked, from, hasAbstained, signals });
      }
    }
  }
  return judged;
}

function sampleOf(questions: readonly Question[]): Question[] {
  const step = Math.max(1, questions.length / SAMPLE);
  const size = Math.min(SAMPLE, questions.length);
  return Array.from({ length: size }, (_, at) => questions[Math.floor(at * step)] as Question);
}

export interface AbstentionRates {
  /** By whose texts were asked, then by whose question it was. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The mean of the cells where a collection was asked its own questions. */
  readonly own: number;
  /** The mean of all other cells. */
  readonly foreign: number;
  /** The same without pairs that were made from the same repositories, where a foreign question may well be answered. */
  readonly unrelated: number;
}

/** Collections whose READMEs name the same repositories as sources. */
const RELATED = [
  ['commit-file-dev', 'ts-jsdoc-dev'],
  ['commit-file-dev', 'devdocs-q-dev'],
  ['devdocs-q-dev', 'ts-jsdoc-dev'],
];

export function abstentionRates(judged: readonly Judged[]): AbstentionRates {
  const cells = new Map<string, Map<string, number>>();
  const names = [...new Set(judged.map(({ asked }) => asked))];
  for (const asked of names) {
    const row = names.map((from): [string, number] => {
      const cell = judged.filter((each) => each.asked === asked && each.from === from);
      return [from, cell.filter(({ hasAbstained }) => hasAbstained).length / Math.max(1, cell.length)];
    });
    cells.set(asked, new Map(row));
  }
  const all = names.flatMap((asked) =>
    names.map((from) => ({ asked, from, rate: cells.get(asked)?.get(from) ?? 0 })),
  );
  const foreign = all.filter(({ asked, from }) => asked !== from);
  const isRelated = (asked: string, from: string) =>
    RELATED.some((pair) => pair.includes(asked) && pair.includes(from));
  return {
    cells,
    own: meanRate(all.filter(({ asked, from }) => asked === from)),
    foreign: meanRate(foreign),
    unrelated: meanRate(foreign.filter(({ asked, from }) => !isRelated(asked, from))),
  };
}

function meanRate(cells: readonly { rate: number }[]): number {
  return cells.reduce((sum, { rate }) => sum + rate, 0) / Math.max(1, cells.length);
}
