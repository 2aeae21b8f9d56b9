// node bench/retrieval/calibrate.ts: prints what MEASURED_EVIDENCE in judge-relevance.ts should be.
import { rmSync } from 'node:fs';
import type { Signals } from '../../src/domain/search/ranking/judge-relevance.ts';
import { temporaryDirectory } from '../bench.ts';
import { type Judged, judgeAll } from './abstention.ts';
import { collectionNames, readCollection, whyNoCollections } from './collections.ts';
import { embedder, indexCollection } from './indexed-collection.ts';

/** Of questions that have an answer, so many may be told that there is none. */
const WRONGLY_ABSTAINED = 0.048;

type Features = (signals: Signals) => readonly number[];

const WORDS: Features = ({ coverage, presence }) => [coverage, presence];
const DENSE: Features = ({ coverage, presence, lexical, dense }) => [
  coverage,
  presence,
  lexical,
  dense?.cosine ?? 0,
  dense?.groupCosine ?? 0,
  dense?.everyday ?? 0,
];

/** Logistic regression by Newton's method; every pair of collections counts alike, and so do both outcomes. */
function fit(cases: readonly Judged[], features: Features): number[] {
  const usable = cases.filter(({ signals }) => signals && signals.coverage <= 0.999);
  const rows = usable.map(({ signals }) => [1, ...(signals ? features(signals) : [])]);
  const wanted = usable.map(({ asked, from }) => (asked === from ? 1 : 0));
  const weights = caseWeights(usable);
  const size = rows[0]?.length ?? 0;
  let solution: number[] = new Array(size).fill(0);
  for (let round = 0; round < 40; round++) {
    const gradient: number[] = solution.map((value, at) => (at === 0 ? 0 : RIDGE * value));
    const hessian = solution.map((_, at) =>
      solution.map((__, other) => (at === other && at > 0 ? RIDGE : 0)),
    );
    for (const [index, row] of rows.entries()) {
      const probability = 1 / (1 + Math.exp(-dot(row, solution)));
      const weight = weights[index] ?? 0;
      for (const [at, value] of row.entries()) {
        gradient[at] = (gradient[at] ?? 0) + weight * (probability - (wanted[index] ?? 0)) * value;
        for (const [other, second] of row.entries()) {
          const line = hessian[at] ?? [];
          line[other] = (line[other] ?? 0) + weight * probability * (1 - probability) * value * second;
        }
      }
    }
    const step = solve(hessian, gradient);
    solution = solution.map((value, at) => value - (step[at] ?? 0));
  }
  return shifted(solution, cases, features);
}

const RIDGE: number = 1e-5;

function caseWeights(cases: readonly Judged[]): number[] {
  const keyOf = ({ asked, from }: Judged) => `${asked} ${from}`;
  const sizes = Map.groupBy(cases, keyOf);
  const cellCount = (isOwn: boolean) =>
    [...sizes.values()].filter(([first]) => (first?.asked === first?.from) === isOwn).length;
  return cases.map((each) => {
    const isOwn = each.asked === each.from;
    return 0.5 / cellCount(isOwn) / (sizes.get(keyOf(each))?.length ?? 1);
  });
}

/** Moves the constant so that the wanted share of questions with an answer falls below nothing. */
function shifted(solution: readonly number[], cases: readonly Judged[], features: Features): number[] {
  const own = cases.filter(({ asked, from }) => asked === from);
  const weights = caseWeights(own);
  const scored = own
    .map(({ signals }, at) => ({
      weight: weights[at] ?? 0,
      evidence: !signals ? -99 : signals.coverage > 0.999 ? 99 : dot([1, ...features(signals)], solution),
    }))
    .sort((a, b) => a.evidence - b.evidence);
  const total = scored.reduce((sum, { weight }) => sum + weight, 0);
  let seen = 0;
  const threshold = scored.find(({ weight }) => {
    seen += weight;
    return seen > WRONGLY_ABSTAINED * total;
  });
  return solution.map((value, at) => (at === 0 ? value - (threshold?.evidence ?? 0) : value));
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

if (whyNoCollections) {
  console.error(whyNoCollections);
  process.exit(1);
}
const directory = temporaryDirectory();
try {
  const collections = [];
  for (const name of collectionNames())
    collections.push(await indexCollection(readCollection(name), directory));
  const judged = await judgeAll(collections, embedder);
  const judgedByWords = await judgeAll(collections, undefined);
  const named = (names: readonly string[], values: readonly number[]) =>
    Object.fromEntries(names.map((name, at) => [name, Number((values[at] ?? 0).toFixed(2))]));
  console.log({
    dense: named(
      ['constant', 'coverage', 'presence', 'lexical', 'cosine', 'groupCosine', 'everyday'],
      fit(judged, DENSE),
    ),
    words: named(['constant', 'coverage', 'presence'], fit(judgedByWords, WORDS)),
  });
  for (const { close } of collections) await close();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
