import { compareCodePoints } from '../../base/text.ts';
import { withFixed, withImported } from '../../domain/ledger/entry/citations.ts';
import { type Entry, isExpired, type KeptCitation, NO_FEEDBACK } from '../../domain/ledger/entry/entry.ts';
import { historyOf } from '../../domain/ledger/exchange/exported-entry.ts';
import { planAdd } from '../../domain/ledger/plans/plan-add.ts';
import { type ImportEnd, importPlanner, type PlannedImport } from '../../domain/ledger/plans/plan-import.ts';
import { planPromotion, planRevocation } from '../../domain/ledger/plans/plan-promotion.ts';
import { planRetrieval } from '../../domain/ledger/plans/plan-retrieval.ts';
import { noEntry, planDecay, planStatus } from '../../domain/ledger/plans/plan-status.ts';
import { fixesByEntry, planVerdicts } from '../../domain/ledger/plans/plan-verdicts.ts';
import type { EntryRanker } from '../../domain/ledger/search/entry-ranker.ts';
import { queryWords } from '../../domain/ledger/search/searchable-text.ts';
import type { EntryFilter, LedgerStore } from '../../domain/ledger/store.ts';
import { ledgerState } from './ledger-state.ts';

type State = ReturnType<typeof ledgerState>;

/** A ledger of this process alone. Its ranking counts the words that are shared. */
export function memoryLedger(): { ledger: LedgerStore; entryRanker: EntryRanker } {
  const state = ledgerState();
  return { ledger: storeOver(state), entryRanker: rankerOver(state) };
}

function storeOver(state: State): LedgerStore {
  const { history, feedback, events, entry, all, holder, apply, promotions, cited } = state;
  return {
    ...guarded(state),
    async add(request) {
      const found = {
        sameId: entry(request.id),
        holder: holder(request.mergeKey),
        promotion: promotions.get(request.permit?.eventId ?? ''),
      };
      const { change, result } = planAdd(found, request);
      apply(change);
      const used = change.consumes && promotions.get(change.consumes.eventId);
      if (used) promotions.set(used.eventId, { ...used, consumedBy: change.consumes?.entryId });
      return result;
    },
    async changeStatus(request) {
      const found = entry(request.id);
      apply(
        planStatus(
          {
            entry: found,
            holder: holder(found?.mergeKey),
            promotion: promotions.get(found?.provenance.replace('event:', '') ?? ''),
          },
          request,
        ),
      );
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
    list: async (filter) =>
      page(
        all(filter).sort((a, b) => b.createdAt - a.createdAt || compareCodePoints(a.id, b.id)),
        filter,
      ),
    ...surveys(state),
    ...histories(state),
    citations: async (id) => cited.get(id) ?? [],
    versions: async (id) => history.get(id) ?? [],
    events: async (entryId) =>
      events
        .filter(({ about }) => entryId === undefined || about.includes(entryId))
        .map(({ event }) => event),
    hasEvent: async (eventId) => events.some(({ event }) => event.eventId === eventId),
    promotion: async (eventId) => promotions.get(eventId),
  };
}

function surveys({ all, events }: State) {
  const active = (at?: number) =>
    all({ statuses: ['active'], limit: -1, ...(at !== undefined && { unexpiredAt: at }) });
  const having = (isSo: (verdict: string | undefined) => boolean) =>
    active().filter(({ citations }) => citations.some(({ verified }) => isSo(verified?.verdict))).length;
  const expired = (at: number) => active().length - active(at).length;
  return {
    current: async (at) =>
      active(at)
        .map(({ id, version }) => ({ id, hash: `${version}` }))
        .sort((a, b) => compareCodePoints(a.id, b.id)),
    revision: async (at) => (events.length === 0 ? '' : `${events.length} ${expired(at)}`),
    count: async (at) => ({
      active: active().length,
      expired: expired(at),
      doubtful: having((verdict) => ['moved', 'changed', 'missing'].includes(verdict ?? '')),
      unverified: having((verdict) => verdict === undefined),
    }),
  } satisfies Partial<LedgerStore>;
}

function histories({ history, feedback, cited, apply, holder }: State) {
  function carryOut({ changes, citations, feedback: counts }: PlannedImport): void {
    for (const change of changes) apply(change);
    for (const [id, given] of citations) cited.set(id, withImported(cited.get(id) ?? [], given));
    for (const [id, counted] of counts) if (counted.retrieved > 0) feedback.set(id, counted);
  }

  return {
    async histories(receive) {
      for (const id of [...history.keys()].sort(compareCodePoints))
        receive(historyOf(history.get(id) ?? [], cited.get(id) ?? [], feedback.get(id) ?? NO_FEEDBACK));
    },
    async importHistories(request) {
      const plan = importPlanner(request);
      const ends: ImportEnd[] = [];
      for (const batch of request.batches) {
        const held = batch.flatMap(({ versions: [{ mergeKey }] }) => {
          const found = holder(mergeKey);
          return found && mergeKey !== undefined ? [[mergeKey, found.id] as const] : [];
        });
        const found = { versions: history, holders: new Map(held), superseded: new Set(history.keys()) };
        const planned = plan(found, batch);
        ends.push(...planned.ends);
        if (!request.dryRun) carryOut(planned);
      }
      return ends;
    },
  } satisfies Partial<LedgerStore>;
}

/** Verdicts and promotions. */
function guarded({ cited, entry, apply, holder, promotions }: State) {
  return {
    async recordVerdicts(request) {
      const ids = new Set(request.checked.filter(({ isFixed }) => isFixed).map(({ id }) => id));
      apply(
        planVerdicts(
          [...ids].flatMap((id) => entry(id) ?? []),
          request,
        ),
      );
      const { at } = request.stamp;
      for (const { id, provenance, verdict } of request.checked.filter(({ isFixed }) => !isFixed)) {
        const isIt = (each: KeptCitation) => each.provenance === provenance && each.until === undefined;
        const known = cited.get(id) ?? [];
        cited.set(
          id,
          known.map((each) => (isIt(each) ? { ...each, verified: { verdict, at } } : each)),
        );
      }
      for (const [id, fixes] of fixesByEntry(request.checked))
        cited.set(id, withFixed(cited.get(id) ?? [], fixes, entry(id)?.version ?? 0, at));
    },
    async promote(request) {
      const isUsed = [...promotions.values()].some(({ approvalId }) => approvalId === request.approvalId);
      if (isUsed) throw new Error('One approval makes one promotion.');
      const target = entry(request.targetId ?? '');
      const { change, promotion } = planPromotion({ target, holder: holder(target?.mergeKey) }, request);
      promotions.set(promotion.eventId, promotion);
      apply(change);
    },
    async revoke(request) {
      const promotion = promotions.get(request.eventId);
      const change = planRevocation({ promotion, entry: entry(promotion?.consumedBy ?? '') }, request);
      apply(change);
      if (promotion) promotions.set(request.eventId, { ...promotion, isRevoked: true });
      return change.versions.map(({ id }) => id);
    },
  } satisfies Partial<LedgerStore>;
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
