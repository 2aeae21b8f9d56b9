/**
 * Fits weights of signals so that the bars hold: a question counts as answered when its best hit is above zero. First by
 * logistic regression, then by descent on the bars themselves, in which a question counts by how far it is from zero.
 */

import type { Sort } from './cuts.ts';

export interface Case {
  readonly collection: string;
  /** Collection, size and sort: what a bar holds for. */
  readonly cell: string;
  readonly sort: Sort;
  /** The signals of each of its first hits. */
  readonly hits: readonly (readonly number[])[];
}

/** A constant, and a weight for each signal. */
export interface Evidence {
  readonly constant: number;
  readonly weights: readonly number[];
}

/** Aimed a little higher than the bars, so that they also hold for other questions. */
const AIMS = { own: 0.88, foreign: 0.165 };
/** How much a miss of an aim counts against near misses that are answered. */
const STRICTNESS = 600;
const STEPS = 1500;
const RIDGE = 2e-3;
const RATE = 0.05;
/** Softness of the step from unanswered to answered. */
const SOFTNESS = 0.35;
/** Weight of a sort in the regression. */
const SORTS: Readonly<Record<Sort, number>> = { own: 1, foreign: 0.6, 'near-miss': 0.5, nonsense: 0.15 };

export function fitEvidence(cases: readonly Case[]): Evidence {
  const scale = scaleOf(cases);
  const scaled = cases.map((each) => ({ ...each, hits: each.hits.map((hit) => standardised(hit, scale)) }));
  const cells = [...Map.groupBy(scaled, ({ cell }) => cell).values()];
  const perSort = Map.groupBy(cells, ([first]) => first?.sort ?? 'own');
  let values: number[] = scale.map(() => 0).concat(0);
  const [momentum, spread] = [values.map(() => 0), values.map(() => 0)];
  for (let step = 1; step <= STEPS; step++) {
    const gradient = values.map((value, at) => (at === 0 ? 0 : RIDGE * value));
    for (const cell of cells) {
      const sort = cell[0]?.sort ?? 'own';
      addGradient(gradient, cell, values, {
        sort,
        cells: cells.length,
        alike: perSort.get(sort)?.length ?? 1,
        byRegression: step < STEPS / 3,
      });
    }
    const rate = step < STEPS * 0.8 ? RATE : RATE / 5;
    values = values.map(
      (value, at) => value - rate * adamStep(gradient[at] ?? 0, at, step, momentum, spread),
    );
  }
  return unscaled(values, scale);
}

interface CellContext {
  readonly sort: Sort;
  readonly cells: number;
  /** Number of cells of this sort. */
  readonly alike: number;
  readonly byRegression: boolean;
}

type Scaled = Pick<Case, 'sort' | 'hits'>;

function addGradient(
  gradient: number[],
  cell: readonly Scaled[],
  values: readonly number[],
  { sort, cells, alike, byRegression }: CellContext,
): void {
  const best = cell.map(({ hits }) => bestHit(hits, values));
  const softness = byRegression ? 1 : SOFTNESS;
  const chances = best.map(({ score }) => 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, score)) / softness)));
  const rate = chances.reduce((sum, each) => sum + each, 0) / cell.length;
  const pull = pullOf(sort, rate) / alike / cell.length / softness;
  const truth = sort === 'own' ? 1 : 0;
  const regression = (4 * SORTS[sort]) / cell.length / cells;
  for (const [at, { hit }] of best.entries()) {
    const chance = chances[at] ?? 0;
    const share = byRegression ? (chance - truth) * regression : pull * chance * (1 - chance);
    for (const [place, value] of hit.entries()) gradient[place] = (gradient[place] ?? 0) + share * value;
  }
}

/** How much worse it is when more questions of a cell are answered. */
function pullOf(sort: Sort, rate: number): number {
  if (sort === 'own') return -2 * STRICTNESS * Math.max(0, AIMS.own - rate);
  if (sort === 'foreign') return 2 * STRICTNESS * Math.max(0, rate - AIMS.foreign) + 0.15;
  return sort === 'near-miss' ? 1 : 0.1;
}

function bestHit(hits: readonly (readonly number[])[], values: readonly number[]) {
  let best = { hit: hits[0] ?? [], score: Number.NEGATIVE_INFINITY };
  for (const hit of hits) {
    const score = hit.reduce((sum, value, at) => sum + value * (values[at] ?? 0), 0);
    if (score > best.score) best = { hit, score };
  }
  return best;
}

/** Adam (Kingma and Ba, 2015). */
function adamStep(gradient: number, at: number, step: number, momentum: number[], spread: number[]): number {
  momentum[at] = 0.9 * (momentum[at] ?? 0) + 0.1 * gradient;
  spread[at] = 0.999 * (spread[at] ?? 0) + 0.001 * gradient ** 2;
  const [mean, variance] = [momentum[at] / (1 - 0.9 ** step), spread[at] / (1 - 0.999 ** step)];
  return mean / (Math.sqrt(variance) + 1e-8);
}

interface Scale {
  readonly mean: number;
  readonly deviation: number;
}

function scaleOf(cases: readonly Case[]): Scale[] {
  const hits = cases.flatMap((each) => each.hits);
  return (hits[0] ?? []).map((_, at) => {
    const values = hits.map((hit) => hit[at] ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    return { mean, deviation: Math.sqrt(squares / values.length) || 1 };
  });
}

function standardised(hit: readonly number[], scale: readonly Scale[]): number[] {
  return [1, ...scale.map(({ mean, deviation }, at) => ((hit[at] ?? 0) - mean) / deviation)];
}

function unscaled([constant = 0, ...rest]: readonly number[], scale: readonly Scale[]): Evidence {
  const weights = rest.map((value, at) => value / (scale[at]?.deviation ?? 1));
  const shift = weights.reduce((sum, weight, at) => sum + weight * (scale[at]?.mean ?? 0), 0);
  return { constant: constant - shift, weights };
}

/** Above zero: answered. */
export function bestScore({ hits }: Case, { constant, weights }: Evidence): number {
  const scores = hits.map((hit) =>
    hit.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), constant),
  );
  return Math.max(Number.NEGATIVE_INFINITY, ...scores);
}

/** Makes zero the chance from which on a hit is fair, and the chances as right as one factor can. */
export function asChances(evidence: Evidence, cases: readonly Case[], fair: number): Evidence {
  const shift = Math.log(fair / (1 - fair));
  const factors = Array.from({ length: 49 }, (_, at) => 0.1 + at * 0.05);
  const losses = factors.map((factor) => lossOf(evidence, cases, (score) => factor * score + shift));
  const factor = factors[losses.indexOf(Math.min(...losses))] ?? 1;
  return {
    constant: evidence.constant * factor + shift,
    weights: evidence.weights.map((weight) => weight * factor),
  };
}

function lossOf(evidence: Evidence, cases: readonly Case[], logit: (score: number) => number): number {
  const sizes = Map.groupBy(cases, ({ cell }) => cell);
  return cases.reduce((sum, each) => {
    const score = bestScore(each, evidence);
    const chance = 1 / (1 + Math.exp(-logit(score)));
    const right = each.sort === 'own' ? chance : 1 - chance;
    const weight = each.sort === 'near-miss' ? 0.3 : SORTS[each.sort];
    return sum - (weight / (sizes.get(each.cell)?.length ?? 1)) * Math.log(right + 1e-9);
  }, 0);
}
