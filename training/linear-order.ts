// node training/linear-order.ts: fits a linear reranker of the first sixty hits, and prints how every collection fares
// with weights that were fitted without it. README.md says what came of it.

import { collectionNames, readCollection, whyNoCollections } from '../bench/retrieval/collections.ts';
import { cutsOf } from '../bench/retrieval/cuts.ts';
import { embedder, indexTexts } from '../bench/retrieval/indexed-cut.ts';
import { type SearchHit, searchEngine } from '../src/domain/search/engine/search-engine.ts';
import { rankingQuality } from '../src/domain/search/quality/ranking-quality.ts';

interface Listed {
  readonly collection: string;
  readonly relevant: ReadonlyMap<string, number>;
  readonly documents: readonly string[];
  /** By hit: the order's own score first. */
  readonly rows: readonly (readonly number[])[];
}

const DEPTH = 60;
const PER_COLLECTION = 250;
const STEPS = 250;
const RATE = 0.03;
/** Pulls towards the present order. */
const RIDGE = 0.03;

function rowOf({ score, signals, explanation, chunk }: SearchHit): number[] {
  const { lexical, dense, order } = explanation ?? {};
  const isCode = (order?.weights.symbol ?? 0) > 0 ? 1 : 0;
  const { beginning = 0, pairs = 0, fileName = 0, symbol = 0, brevity = 0 } = order?.signals ?? {};
  const both = [signals.together, beginning, dense?.normalised ?? 0, lexical?.normalised ?? 0];
  return [
    score,
    ...both,
    ...both.map((value) => value * isCode),
    ...[signals.coverage, signals.information, signals.names, signals.strength],
    ...[pairs, fileName, symbol, brevity, order?.factor ?? 1],
    ...[dense?.raw ?? 0, Math.log(1 + chunk.body.length)],
  ];
}

async function listsOf(name: string): Promise<Listed[]> {
  const all = collectionNames().map(readCollection);
  const collection = all.find((each) => each.name === name);
  const [cut] = collection ? cutsOf(collection, 'whole', all) : [];
  if (!cut) return [];
  const { store, textOf, close } = await indexTexts(`${name}-whole-0`, cut.texts);
  const engine = searchEngine({ stores: [store], embedder });
  const own = cut.asked.filter(({ sort }) => sort === 'own');
  const every = Math.max(1, own.length / PER_COLLECTION);
  const lists: Listed[] = [];
  for (let at = 0; Math.floor(at) < own.length; at += every) {
    const question = own[Math.floor(at)];
    if (!question) continue;
    const { group } = question;
    const { hits, nearMisses } = await engine.search({
      question: question.text,
      limit: DEPTH,
      perItem: 3,
      explain: true,
      ...(group !== undefined && { isWantedGroup: ({ topic }) => topic === group }),
    });
    const found = [...hits, ...nearMisses];
    const documents = found.map(({ chunk }) => textOf(chunk).document);
    lists.push({ collection: name, relevant: question.relevant, documents, rows: found.map(rowOf) });
  }
  await close();
  return lists;
}

/** List-wise: the relevant ones share the chance that a softmax over the list gives. */
function fit(lists: readonly Listed[]): number[] {
  const counts = Map.groupBy(lists, ({ collection }) => collection);
  const useful = lists.filter(({ documents, relevant }) => documents.some((id) => relevant.has(id)));
  const size = useful[0]?.rows[0]?.length ?? 0;
  const start: number[] = Array.from({ length: size }, (_, at) => (at === 0 ? 10 : 0));
  let weights = start;
  const [momentum, spread] = [start.map(() => 0), start.map(() => 0)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight, at) => RIDGE * (weight - (start[at] ?? 0)));
    for (const each of useful)
      addGradient(gradient, each, weights, 1 / counts.size / (counts.get(each.collection)?.length ?? 1));
    weights = weights.map((weight, at) => {
      const slope = gradient[at] ?? 0;
      momentum[at] = 0.9 * (momentum[at] ?? 0) + 0.1 * slope;
      spread[at] = 0.999 * (spread[at] ?? 0) + 0.001 * slope ** 2;
      const mean = momentum[at] / (1 - 0.9 ** step);
      return weight - (RATE * mean) / (Math.sqrt(spread[at] / (1 - 0.999 ** step)) + 1e-8);
    });
  }
  return weights;
}

function addGradient(
  gradient: number[],
  { rows, documents, relevant }: Listed,
  weights: readonly number[],
  share: number,
): void {
  const scores = rows.map((row) => scoreOf(row, weights));
  const best = Math.max(...scores);
  const raised = scores.map((score) => Math.exp(score - best));
  const total = raised.reduce((sum, value) => sum + value, 0);
  const right = documents.filter((id) => relevant.has(id)).length;
  for (const [at, row] of rows.entries()) {
    const truth = relevant.has(documents[at] ?? '') ? 1 / right : 0;
    const error = ((raised[at] ?? 0) / total - truth) * share;
    for (const [place, value] of row.entries()) gradient[place] = (gradient[place] ?? 0) + error * value;
  }
}

function scoreOf(row: readonly number[], weights: readonly number[]): number {
  return row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
}

/** Mean nDCG@10 with these weights; as found without any. */
function quality(lists: readonly Listed[], weights?: readonly number[]): number {
  const each = lists.map(({ rows, documents, relevant }) => {
    const order = [...documents.keys()];
    if (weights)
      order.sort((a, b) => scoreOf(rows[b] ?? [], weights) - scoreOf(rows[a] ?? [], weights) || a - b);
    return rankingQuality(relevant, [...new Set(order.map((at) => documents[at] ?? ''))]).ndcg10;
  });
  return each.reduce((sum, value) => sum + value, 0) / Math.max(1, each.length);
}

if (whyNoCollections) {
  console.error(whyNoCollections);
  process.exit(1);
}
const lists: Listed[] = [];
for (const name of collectionNames()) lists.push(...(await listsOf(name)));
const whole = fit(lists);
const standing: (readonly [string, string, string, string])[] = [];
for (const name of collectionNames()) {
  const own = lists.filter(({ collection }) => collection === name);
  const without = fit(lists.filter(({ collection }) => collection !== name));
  const figures = [quality(own), quality(own, without), quality(own, whole)].map((value) => value.toFixed(3));
  standing.push([name, figures[0] ?? '', figures[1] ?? '', figures[2] ?? '']);
}
console.log('| collection | as it is | fitted without it | fitted with it |\n|---|---|---|---|');
for (const row of standing) console.log(`| ${row.join(' | ')} |`);
