// node bench/retrieval/calibrate.ts: prints what MEASURED_EVIDENCE in judge-relevance.ts should be. Which questions are
// put to which texts is decided by a fixed seed (cuts.ts), so that the same code prints the same numbers.
import type { HitSignals } from '../../src/domain/search/ranking/hit-signals.ts';
import { type Asked, askCut, type Mode } from './ask-cut.ts';
import { collectionNames, readCollection, whyNoCollections } from './collections.ts';
import { type Cut, cutsOf, SIZES, type Sort } from './cuts.ts';

const WORDS = ['information', 'presence', 'strength', 'names', 'together', 'length', 'crowd'] as const;
const DENSE = ['cosine', 'mean', 'distinction'] as const;

/** Weight of all questions of a sort: near misses cannot all be told from answers, and would drown the rest. */
const SORTS: Readonly<Record<Sort, number>> = { own: 1, foreign: 0.6, 'near-miss': 0.3, nonsense: 0.15 };
/** So many questions with an answer are asked of each cut. */
const MOST_OWN = 130;
const RIDGE = 1e-3;
/** A question that has an answer and is told that there is none is worse than the reverse. */
const LENIENCE = 0.1;

interface Case {
  readonly cell: string;
  readonly sort: Sort;
  readonly row: readonly number[];
}

/** Takes the best relevant hit of a question with an answer, else the first hit. */
function caseOf({ collection, size, question, result, documents }: Asked, isDense: boolean): Case[] {
  const hits = [...result.hits, ...result.nearMisses].slice(0, 10);
  const relevant = hits.find((_, at) => question.relevant.has(documents[at] ?? ''));
  const signals = (relevant ?? hits[0])?.signals;
  if (!signals || (isDense && !signals.dense)) return [];
  const cell = `${collection} ${size} ${question.sort}`;
  return [{ cell, sort: question.sort, row: [1, ...featuresOf(signals, isDense)] }];
}

function featuresOf(signals: HitSignals, isDense: boolean): number[] {
  const byWords = WORDS.map((name) => signals[name]);
  return isDense ? [...byWords, ...DENSE.map((name) => signals.dense?.[name] ?? 0)] : byWords;
}

/** Logistic regression by Newton's method; every collection counts alike at every size. */
function fit(cases: readonly Case[]): number[] {
  const sizes = Map.groupBy(cases, ({ cell }) => cell);
  const raw = cases.map(({ cell, sort }) => SORTS[sort] / (sizes.get(cell)?.length ?? 1));
  const scale = cases.length / raw.reduce((sum, weight) => sum + weight, 0);
  const size = cases[0]?.row.length ?? 0;
  const ridge = RIDGE * cases.length;
  let solution: number[] = new Array(size).fill(0);
  for (let round = 0; round < 40; round++) {
    const gradient = solution.map((value, at) => (at === 0 ? 0 : ridge * value));
    const hessian = solution.map((_, at) => solution.map((__, to) => (at === to && at > 0 ? ridge : 0)));
    for (const [index, { row, sort }] of cases.entries()) {
      const probability = 1 / (1 + Math.exp(-dot(row, solution)));
      const weight = (raw[index] ?? 0) * scale;
      const error = probability - (sort === 'own' ? 1 : 0);
      for (const [at, value] of row.entries()) {
        gradient[at] = (gradient[at] ?? 0) + weight * error * value;
        const line = hessian[at] ?? [];
        for (const [to, other] of row.entries())
          line[to] = (line[to] ?? 0) + weight * probability * (1 - probability) * value * other;
      }
    }
    const step = solve(hessian, gradient);
    solution = solution.map((value, at) => value - (step[at] ?? 0));
  }
  return solution.map((value, at) => (at === 0 ? value + LENIENCE : value));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

/** Gaussian elimination with pivoting. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const rest = rows.slice(column).map((row) => Math.abs(row[column] ?? 0));
    const pivot = column + rest.indexOf(Math.max(...rest));
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    for (let row = 0; row < size; row++) {
      if (row === column) continue;
      const factor = (rows[row]?.[column] ?? 0) / (rows[column]?.[column] ?? 1);
      rows[row] = (rows[row] ?? []).map((value, at) => value - factor * (rows[column]?.[at] ?? 0));
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}

/** With fewer of the questions that have an answer; ranking is not measured here. */
function sampled(cut: Cut): Cut {
  const own = cut.asked.filter(({ sort }) => sort === 'own');
  const step = Math.ceil(own.length / MOST_OWN);
  const kept = new Set(own.filter((_, at) => at % step === 0));
  return { ...cut, asked: cut.asked.filter((question) => question.sort !== 'own' || kept.has(question)) };
}

if (whyNoCollections) {
  console.error(whyNoCollections);
  process.exit(1);
}
const all = collectionNames().map(readCollection);
const cases: Record<Mode, Case[]> = { words: [], hybrid: [] };
for (const collection of all) {
  for (const size of SIZES) {
    process.stderr.write(`calibrate: ${collection.name} ${size}\n`);
    for (const cut of cutsOf(collection, size, all)) {
      for (const asked of await askCut(sampled(cut), ['words', 'hybrid']))
        cases[asked.mode].push(...caseOf(asked, asked.mode === 'hybrid'));
    }
  }
}
const named = (names: readonly string[], values: readonly number[]) =>
  Object.fromEntries(names.map((name, at) => [name, Number((values[at] ?? 0).toFixed(3))]));
console.log({
  dense: named(['constant', ...WORDS, ...DENSE], fit(cases.hybrid)),
  words: named(['constant', ...WORDS], fit(cases.words)),
});
