/** The ledgers of a person, of a workspace and of a whole team, read as one. Each entry is in exactly one of them. */

import { compareCodePoints } from '../../../base/text.ts';
import type { Entry } from '../../ledger/entry/entry.ts';
import type { ClaimSides } from '../../ledger/entry/stated-claim.ts';
import type { RetrievalRequest } from '../../ledger/plans/plan-retrieval.ts';
import type { LedgerCount, LedgerReader, LedgerStore } from '../../ledger/store.ts';
import { VISIBILITIES, type Visibility } from './visibility.ts';

export type Ledgers = Readonly<Record<Visibility, LedgerStore>>;

/**
 * Reads all three, and changes an entry where it is; new ones, claims and rules are of the workspace. Of entries with
 * one id an active one is read, and of those the one that fewest people see.
 */
export function layeredLedger(ledgers: Ledgers): LedgerStore {
  const { workspace } = ledgers;
  const reader = layeredReader(ledgers);
  const holderOf = async (id: string) => ledgers[await visibilityOf(reader, id)];
  return {
    ...reader,
    add: async (request) => (await holderOf(request.id)).add(request),
    changeStatus: async (request) => (await holderOf(request.id)).changeStatus(request),
    recordRetrieval: (request) => recordEach(request, ledgers, reader),
    decay: workspace.decay,
    recordVerdicts: workspace.recordVerdicts,
    promote: workspace.promote,
    revoke: workspace.revoke,
    stateClaim: workspace.stateClaim,
    importHistories: workspace.importHistories,
  };
}

/** Exports, and the promotions that rules stand on, are those of the workspace. */
function layeredReader(ledgers: Ledgers): LedgerReader {
  const { workspace } = ledgers;
  const each = <Result>(ask: (ledger: LedgerStore) => Promise<Result>): Promise<Result[]> =>
    Promise.all(VISIBILITIES.map((visibility) => ask(ledgers[visibility])));
  const seen = async (ask: (ledger: LedgerStore) => Promise<readonly Entry[]>): Promise<Entry[]> => {
    const found = await each(ask);
    return unique(found.flatMap((list, at) => list.map((entry) => seenBy(entry, VISIBILITIES[at]))));
  };
  const reader: LedgerReader = {
    histories: workspace.histories,
    promotions: workspace.promotions,
    async entries(ids, at) {
      const found = await seen((ledger) => ledger.entries(ids, at));
      const byId = new Map(found.map((entry) => [entry.id, entry]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
    async list(filter) {
      const { limit, offset = 0 } = filter;
      const reach = limit < 0 ? limit : limit + offset;
      const found = await seen((ledger) => ledger.list({ ...filter, limit: reach, offset: 0 }));
      found.sort((a, b) => b.createdAt - a.createdAt || compareCodePoints(a.id, b.id));
      return found.slice(offset, limit < 0 ? undefined : offset + limit);
    },
    async idsWith(part, limit) {
      const found = new Set((await each((ledger) => ledger.idsWith(part, limit))).flat());
      return [...found].sort(compareCodePoints).slice(0, limit);
    },
    async current(at, among) {
      const found = (await each((ledger) => ledger.current(at, among))).flat();
      const byId = new Map(found.toReversed().map((current) => [current.id, current]));
      const sorted = [...byId.values()].sort((a, b) => compareCodePoints(a.id, b.id));
      return sorted.slice(0, among?.page?.limit);
    },
    async revision(at) {
      const found = await each((ledger) => ledger.revision(at));
      return found.filter((revision) => revision !== '').join(' ');
    },
    count: async (at) => (await each((ledger) => ledger.count(at))).reduce(addCounts),
    versions: async (id) => (await holderOf(id)).versions(id),
    citations: async (id) => (await holderOf(id)).citations(id),
    async events(id) {
      if (id !== undefined) return (await holderOf(id)).events(id);
      return (await each((ledger) => ledger.events())).flat().sort((a, b) => a.at - b.at);
    },
    hasEvent: async (id) => (await each((ledger) => ledger.hasEvent(id))).includes(true),
    async claims(at, ids) {
      const found = (await each((ledger) => ledger.claims(at, ids))).flat();
      const byId = [...Map.groupBy(found, ({ id }) => id)];
      byId.sort(([a], [b]) => compareCodePoints(a, b));
      return byId.map(([, sides]) => sides.reduce(addSides));
    },
  };
  const holderOf = async (id: string) => ledgers[await visibilityOf(reader, id)];
  return reader;
}

async function visibilityOf(reader: LedgerReader, id: string): Promise<Visibility> {
  const [entry] = await reader.entries([id]);
  return entry?.visibility ?? 'workspace';
}

function seenBy(entry: Entry, visibility: Visibility = 'workspace'): Entry {
  return visibility === 'workspace' ? entry : { ...entry, visibility };
}

/** Those that fewer people see come first. */
function unique(found: readonly Entry[]): Entry[] {
  const byId = new Map<string, Entry>();
  for (const entry of found) {
    const known = byId.get(entry.id);
    if (!known || (known.status !== 'active' && entry.status === 'active')) byId.set(entry.id, entry);
  }
  return [...byId.values()];
}

function addCounts(a: LedgerCount, b: LedgerCount): LedgerCount {
  return {
    active: a.active + b.active,
    expired: a.expired + b.expired,
    doubtful: a.doubtful + b.doubtful,
    unverified: a.unverified + b.unverified,
  };
}

function addSides(a: ClaimSides, b: ClaimSides): ClaimSides {
  return {
    id: a.id,
    stated: a.stated ?? b.stated,
    supports: a.supports + b.supports,
    contradicts: a.contradicts + b.contradicts,
    mentions: a.mentions + b.mentions,
  };
}

/** Each ledger learns of its own entries alone. The workspace also keeps what was asked without an answer. */
async function recordEach(request: RetrievalRequest, ledgers: Ledgers, reader: LedgerReader): Promise<void> {
  const returned = await reader.entries([...new Set(request.returnedIds)]);
  const known = new Map(returned.map(({ id, visibility }) => [id, visibility]));
  const isIn = (wanted: Visibility) => (id: string) => (known.get(id) ?? 'workspace') === wanted;
  // The workspace comes first: it refuses what nobody has.
  for (const visibility of ['workspace', 'me', 'team'] as const) {
    const returnedIds = request.returnedIds.filter(isIn(visibility));
    const usedIds = request.usedIds.filter(isIn(visibility));
    const isAsked = returnedIds.length > 0 || usedIds.length > 0;
    if (isAsked || (visibility === 'workspace' && request.returnedIds.length === 0))
      await ledgers[visibility].recordRetrieval({ ...request, returnedIds, usedIds });
  }
}
