export interface RankingQuality {
  readonly ndcg10: number;
  readonly recall10: number;
  readonly recall100: number;
  readonly mrr10: number;
}

/** `ranked`: names, best first, each once. `relevant`: gain (above 0) of each expected name. */
export function rankingQuality(
  relevant: ReadonlyMap<string, number>,
  ranked: readonly string[],
): RankingQuality {
  const gains = ranked.slice(0, 100).map((name) => relevant.get(name) ?? 0);
  const ideal = [...relevant.values()].sort((a, b) => b - a);
  const first = gains.slice(0, 10).findIndex((gain) => gain > 0);
  const found = (count: number) => gains.slice(0, count).filter((gain) => gain > 0).length;
  return {
    ndcg10: discounted(gains.slice(0, 10)) / discounted(ideal.slice(0, 10)),
    recall10: found(10) / relevant.size,
    recall100: found(100) / relevant.size,
    mrr10: first < 0 ? 0 : 1 / (first + 1),
  };
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

export function meanQuality(all: readonly RankingQuality[]): RankingQuality {
  const mean = (key: keyof RankingQuality) =>
    all.reduce((sum, each) => sum + each[key], 0) / Math.max(1, all.length);
  return {
    ndcg10: mean('ndcg10'),
    recall10: mean('recall10'),
    recall100: mean('recall100'),
    mrr10: mean('mrr10'),
  };
}

/** Smallest value that at least this share of the values do not exceed; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
