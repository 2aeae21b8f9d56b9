/** Entries that a member of a team sees beside those of a workspace: their own, and those of every workspace. */

import type { Serving } from '../adapters/postgres/index/start-serving.ts';
import type { Database, Tenant } from '../adapters/postgres/seam/database.ts';
import type { EntriesBeside, WorkspaceApp } from '../app.ts';
import { nearEntries } from '../domain/search/engine/near-entries.ts';
import { type SharedReaders, searchEngine } from '../domain/search/engine/search-engine.ts';
import type { IndexStore } from '../domain/search/index/index-store.ts';
import { MEASURED_WEIGHTS } from '../domain/search/ranking/fuse-scores.ts';
import { ledgerOf, type Rights } from '../domain/team/scoped-stores.ts';
import { layeredLedger } from '../domain/team/visibility/layered-ledger.ts';
import { layeredNear, layeredRanker } from '../domain/team/visibility/layered-search.ts';
import { storedUnder } from '../domain/team/visibility/visibility.ts';

/** `plain` tells nobody of changes: what only some see wakes nobody else. */
export interface LayerPlace {
  readonly plain: Database;
  readonly team: string;
  readonly serving: Serving;
}

type EntryLayer = Awaited<ReturnType<typeof openLayer>>;

/** Most people whose stores are kept. */
const MOST_KEPT = 200;

export function entryLayers(place: LayerPlace) {
  const kept = new Map<string, Promise<EntryLayer>>();
  const readers: SharedReaders = new WeakMap();
  const layer = (workspace: string): Promise<EntryLayer> => {
    const opened = kept.get(workspace) ?? openLayer(place, workspace);
    kept.delete(workspace);
    kept.set(workspace, opened);
    opened.catch(() => kept.delete(workspace));
    const [oldest] = kept.size > MOST_KEPT ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    return opened;
  };
  const own = (workspace: string, person: string) => layer(storedUnder('me', workspace, person));
  const ofTeam = () => layer(storedUnder('team', '', ''));

  return {
    ownLedger: async (workspace: string, person: string) => (await own(workspace, person)).ledger,
    teamLedger: async () => (await ofTeam()).ledger,
    /** The workspace with everything that the person sees in it. */
    async seenBy(app: WorkspaceApp, { workspace, person, rights }: Member): Promise<WorkspaceApp> {
      const [mine, teams] = await Promise.all([own(workspace, person), ofTeam()]);
      const { embedder, clock } = app;
      const stores = [app.searchIndex, app.referenceStore, mine.searchIndex, teams.searchIndex];
      const engine = searchEngine({ stores, embedder, weights: MEASURED_WEIGHTS, readers });
      const near = ({ searchIndex: store, ledger }: EntryLayer) =>
        nearEntries({ store, embedder, engine, ledger, clock });
      const ledgers = {
        me: ledgerOf(mine.ledger, rights, 'me'),
        workspace: ledgerOf(app.ledger, rights),
        team: ledgerOf(teams.ledger, rights, 'team'),
      };
      const ledger = layeredLedger(ledgers);
      const entriesBeside: EntriesBeside = {
        workspace: ledgers.workspace,
        own: ledgers.me,
        indexed: [mine, teams],
      };
      return {
        ...app,
        ledger,
        engine,
        entryRanker: layeredRanker([app.entryRanker, mine.entryRanker, teams.entryRanker], ledger),
        nearEntries: layeredNear([app.nearEntries, near(mine), near(teams)]),
        entriesBeside,
      };
    },
  };
}

interface Member {
  readonly workspace: string;
  readonly person: string;
  readonly rights: Rights;
}

async function openLayer({ plain, team, serving }: LayerPlace, workspace: string) {
  const { postgresLedgerStore } = await import('../adapters/postgres/ledger/ledger-store.ts');
  const { postgresEntryRanker } = await import('../adapters/postgres/ledger/entry-ranker.ts');
  const { postgresIndexStore } = await import('../adapters/postgres/index/index-store.ts');
  const tenant: Tenant = { team, workspace };
  // A served index has two indexes of the database, too many for each person.
  const search = serving.search === 'server' ? 'auto' : serving.search;
  const searchIndex: IndexStore = postgresIndexStore(plain, tenant, { ...serving, search });
  return {
    ledger: postgresLedgerStore(plain, tenant),
    entryRanker: postgresEntryRanker(plain, tenant),
    searchIndex,
  };
}
