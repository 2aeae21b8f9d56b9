import { compareCodePoints } from '../../base/text.ts';
import { type Entry, isExpired, NO_FEEDBACK } from '../../domain/ledger/entry.ts';
import type { EntryRanker } from '../../domain/ledger/entry-ranker.ts';
import { planAdd } from '../../domain/ledger/plan-add.ts';
import { noEntry, planDecay, planStatus } from '../../domain/ledger/plan-status.ts';
import { planRetrieval } from '../../domain/ledger/retrieval.ts';
import { queryWords } from '../../domain/ledger/searchable-text.ts';
import type { EntryFilter, LedgerStore } from '../../domain/ledger/store.ts';
import { ledgerState } from './ledger-state.ts';

type State = ReturnType<typeof ledgerState>;

/** A ledger of this process alone. Its ranking counts the words that are shared. */
export function memoryLedger(): { ledger: LedgerStore; entryRanker: EntryRanker } {
  const state = ledgerState();
  return { ledger: storeOver(state), entryRanker: rankerOver(state) };
}

function storeOver({ history, feedback, events, entry, all, holder, apply }: State): LedgerStore {
  return {
    async add(request) {
      const found = { sameId: entry(request.id), holder: holder(request.mergeKey), promotion: undefined };
      const { change, result } = planAdd(found, request);
      apply(change);
      return result;
    },
    async changeStatus(request) {
      const found = entry(request.id);
      apply(planStatus({ entry: found, holder: holder(found?.mergeKey) }, request));
      const changed = entry(request.id);
      if (!changed) throw noEntry(request.id);
      return changed;
    },
    async decay(request) {
      const expired = all({ statuses: ['active'], limit: -1 })
        .filter((each) => isExpired(each, request.asOf))
        .sort((a, b) => compareCodePoints(a.id, b.id));
      apply(planDecay(expired, request));
      return expired.map(({ id }) => id);
    },
    async recordRetrieval(request) {
      const event = planRetrieval(new Set(history.keys()), request);
      events.push({ event, about: request.returnedIds });
      for (const id of new Set(request.returnedIds)) {
        const counted = feedback.get(id) ?? NO_FEEDBACK;
        const vote = (outcome: string) =>
          request.usedIds.includes(id) && request.outcome === outcome ? 1 : 0;
        feedback.set(id, {
          retrieved: counted.retrieved + 1,
          helped: counted.helped + vote('helped'),
          hurt: counted.hurt + vote('hurt'),
        });
      }
    },
    entries: async (ids, at) => ids.flatMap((id) => entry(id, at) ?? []),
    feedback: async (ids) => new Map([...feedback].filter(([id]) => ids.includes(id))),
    list: async (filter) =>
      page(
        all(filter).sort((a, b) => b.createdAt - a.createdAt || compareCodePoints(a.id, b.id)),
        filter,
      ),
    versions: async (id) => history.get(id) ?? [],
    events: async (entryId) =>
      events
        .filter(({ about }) => entryId === undefined || about.includes(entryId))
        .map(({ event }) => event),
    promotion: async () => undefined,
  };
}

function rankerOver({ all }: State): EntryRanker {
  return {
    async rank({ query, order, filter }) {
      const wanted = queryWords(query, 64);
      const scored = all(filter)
        .map((each) => ({ each, id: each.id, score: sharedWords(each, wanted) }))
        .filter(({ score }) => score > 0);
      const better = order === 'relevance' ? byScore : byFreshness;
      return page(
        scored.sort((a, b) => better(a, b) || compareCodePoints(a.id, b.id)),
        filter,
      );
    },
  };
}

type Scored = { readonly each: Entry; readonly score: number };
const byScore = (a: Scored, b: Scored) => b.score - a.score;
const byFreshness = (a: Scored, b: Scored) => b.each.writtenAt - a.each.writtenAt;

function sharedWords({ title, tags, text, provenance }: Entry, wanted: readonly string[]): number {
  const words = new Set(queryWords([title, ...tags, text, provenance].join(' '), Number.POSITIVE_INFINITY));
  return wanted.filter((word) => words.has(word)).length;
}

function page<T>(items: readonly T[], { limit, offset = 0 }: EntryFilter): T[] {
  return items.slice(offset, limit < 0 ? undefined : offset + limit);
}
