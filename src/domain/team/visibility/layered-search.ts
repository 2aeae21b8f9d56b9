/** Searches entries in the ledgers of several visibilities at once. */

import { compareCodePoints } from '../../../base/text.ts';
import type { EntryRanker, NearEntries, RankedEntry } from '../../ledger/search/entry-ranker.ts';
import type { LedgerReader } from '../../ledger/store.ts';

/** `ledger` reads the entries of all rankers. */
export function layeredRanker(rankers: readonly EntryRanker[], ledger: LedgerReader): EntryRanker {
  return {
    async rank(request) {
      const { limit, offset = 0 } = request.filter;
      const reach = limit < 0 ? limit : limit + offset;
      const filter = { ...request.filter, limit: reach, offset: 0 };
      const found = await Promise.all(rankers.map((ranker) => ranker.rank({ ...request, filter })));
      const filled = found.filter(({ length }) => length > 0);
      const [only = []] = filled;
      const all = filled.length > 1 ? await merged(filled.flat()) : only;
      return all.slice(offset, limit < 0 ? undefined : offset + limit);

      async function merged(ranked: readonly RankedEntry[]): Promise<readonly RankedEntry[]> {
        const best = new Map<string, RankedEntry>();
        for (const each of ranked) if (each.score > (best.get(each.id)?.score ?? 0)) best.set(each.id, each);
        const order = request.order === 'recency' ? await writtenAt([...best.keys()]) : scoreOf;
        return [...best.values()].sort((a, b) => order(b) - order(a) || compareCodePoints(a.id, b.id));
      }

      async function writtenAt(ids: readonly string[]) {
        const entries = await ledger.entries(ids, request.filter.at);
        const times = new Map(entries.map((entry) => [entry.id, entry.writtenAt]));
        return ({ id }: RankedEntry) => times.get(id) ?? 0;
      }
    },
  };
}

function scoreOf({ score }: RankedEntry): number {
  return score;
}

export function layeredNear(near: readonly NearEntries[]): NearEntries {
  return {
    async find(question, limit) {
      const found = (await Promise.all(near.map((each) => each.find(question, limit)))).flat();
      const best = new Map(found.toReversed().map((each) => [each.id, each]));
      const nearness = ({ words, meaning }: (typeof found)[number]) => words + meaning;
      return [...best.values()].sort((a, b) => nearness(b) - nearness(a)).slice(0, limit);
    },
  };
}
