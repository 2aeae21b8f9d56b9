/** The stores of a team for `ken serve`, limited to what a person may do in a workspace. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createExclusive } from '../adapters/files/atomic-write.ts';
import type { Serving } from '../adapters/postgres/index/start-serving.ts';
import type { Database } from '../adapters/postgres/seam/database.ts';
import type { App, OpenApp, TeamServer, WorkspaceApp } from '../app.ts';
import { isInWorkspace } from '../app.ts';
import { Fault } from '../base/fault.ts';
import { NO_SOURCE } from '../domain/ledger/evidence/evidence.ts';
import { promoteAsApproved } from '../domain/ledger/promotion/promote-entry.ts';
import { createAsApproved } from '../domain/references/lifecycle/create-topic.ts';
import { isCitationUri } from '../domain/search/citations/citation.ts';
import { SCOPES } from '../domain/team/access.ts';
import { addAsApproved } from '../domain/team/propose-entry.ts';
import { approvalsOf, jobsOf, ledgerOf, libraryOf, type Rights } from '../domain/team/scoped-stores.ts';
import { moveAsApproved } from '../domain/team/visibility/move-entry.ts';
import { entryLayers } from './serve-layers.ts';
import { teamTopicsOf, topicStoresOf, withTopics } from './serve-topics.ts';

export interface ServePlace {
  readonly url: string;
  readonly listenUrl: string | undefined;
  readonly team: string;
  readonly search: Serving['search'];
  /** Hosts of the team's own network that approved fetches may reach. */
  readonly allowedHosts: readonly string[];
  openApp: OpenApp;
  warn(text: string): void;
}

export async function openTeamServer(place: ServePlace): Promise<TeamServer> {
  const { openDatabase, parseTeamUrl } = await import('../adapters/postgres/seam/open-database.ts');
  const { postgresAccessStore } = await import('../adapters/postgres/access/access-store.ts');
  const { listen } = await import('../adapters/postgres/seam/notices.ts');
  const database = await openDatabase(place.url);
  const base = await emptyWorkspace(place);
  const opened = new Map<string, Promise<ServedWorkspace>>();
  const { team, search, warn } = place;
  const report = (error: unknown) => warn(error instanceof Fault ? error.message : String(error));
  const serving = { search, report };
  const layers = entryLayers({ plain: database, team, serving });
  const stores = (workspace: string) => {
    const known = opened.get(workspace) ?? storesOf(database, base.app, { team, workspace }, serving);
    opened.set(workspace, known);
    return known;
  };
  return {
    place: parseTeamUrl(place.url).place,
    team,
    access: postgresAccessStore(database, team),
    async appFor({ workspace, person, rights }) {
      const { app, topics } = await stores(workspace);
      return asPerson(withTopics(app, await topics(app.config)), { workspace, person, rights }, layers);
    },
    async hasNotices(onNotice) {
      const about = new Map<string, string>();
      const url = place.listenUrl ?? place.url;
      const name = base.app.ids.token(8);
      return listen({
        url,
        database,
        name,
        onNotice(key) {
          for (const workspace of opened.keys()) about.set(noticeKey(base.app, team, workspace), workspace);
          if (key === undefined) onNotice(undefined);
          else if (about.has(key)) onNotice(about.get(key));
        },
      });
    },
    async ping() {
      await database.read((sql) => sql`select 1`);
    },
    async close() {
      await base.close();
      await database.close();
    },
  };
}

function noticeKey({ hasher }: App, team: string, workspace: string): string {
  return hasher.sha256(JSON.stringify([team, workspace])).slice(0, 16);
}

/** The ports that the team does not share: an empty workspace, without the account's other settings and keys. */
async function emptyWorkspace({ openApp, warn, allowedHosts }: ServePlace) {
  const directory = mkdtempSync(path.join(tmpdir(), 'ken-serve-'));
  const root = path.join(directory, 'team');
  const home = path.join(directory, 'home');
  mkdirSync(path.join(root, '.ken'), { recursive: true });
  mkdirSync(path.join(home, 'data'), { recursive: true, mode: 0o700 });
  const authority = `net.allow = ${JSON.stringify(allowedHosts)}\n`;
  await createExclusive(path.join(home, 'data/authority.toml'), authority, { mode: 0o600 });
  const environment = { PATH: '/usr/bin:/bin', HOME: home, KEN_HOME: home };
  const app = await openApp({ assignments: [], workspace: root, directory: root, environment, warn });
  if (!isInWorkspace(app)) throw new Error('The workspace that was just made is not there.');
  const close = async () => {
    await app.close();
    rmSync(directory, { recursive: true, force: true });
  };
  return { app, close };
}

async function storesOf(
  plain: Database,
  base: WorkspaceApp,
  tenant: { readonly team: string; readonly workspace: string },
  serving: Serving,
): Promise<ServedWorkspace> {
  const { noticed } = await import('../adapters/postgres/seam/notices.ts');
  const { postgresLedgerStore } = await import('../adapters/postgres/ledger/ledger-store.ts');
  const { postgresEntryRanker } = await import('../adapters/postgres/ledger/entry-ranker.ts');
  const { postgresApprovalStore } = await import('../adapters/postgres/approvals/approval-store.ts');
  const { postgresJobStore } = await import('../adapters/postgres/approvals/job-store.ts');
  const { nearEntries } = await import('../domain/search/engine/near-entries.ts');
  const database = noticed(plain, noticeKey(base, tenant.team, tenant.workspace));
  const ledger = postgresLedgerStore(database, tenant);
  const topicStores = await topicStoresOf({ database, plain, serving }, base, tenant);
  const { searchIndex, engine } = topicStores;
  const { embedder, clock } = base;
  const app: WorkspaceApp = {
    ...base,
    ...topicStores,
    workspace: { ...base.workspace, root: `/${tenant.workspace}` },
    config: {
      ...base.config,
      approvals: { ...base.config.approvals, noninteractive: 'pending' },
      mcp: { ...base.config.mcp, trusted_clients: [] },
    },
    ledger,
    entryRanker: postgresEntryRanker(database, tenant),
    approvals: postgresApprovalStore(database, tenant.team),
    jobs: postgresJobStore(database, tenant.team),
    nearEntries: nearEntries({ store: searchIndex, embedder, engine, ledger, clock }),
    // Evidence names files on the machines of the people who cited them.
    evidence: { read: async () => undefined },
    citedSource: NO_SOURCE,
    lock: UNLOCKED,
  };
  return { app, topics: await teamTopicsOf(database, tenant) };
}

interface ServedWorkspace {
  readonly app: WorkspaceApp;
  /** The configuration with the topics of the workspace as they are now. */
  topics(config: WorkspaceApp['config']): Promise<WorkspaceApp['config']>;
}

/** The lock protects one operator's own machine. Here a session with the right to approve decides. */
const UNLOCKED: App['lock'] = {
  state: async () => ({ kind: 'off' }),
  open: async () => true,
  sign: async () => undefined,
  believes: async () => true,
  lock: async () => undefined,
  verifies: async () => false,
  lockSystem: async () => {
    throw new Fault('team/denied', 'Approvals can be locked only on your own machine.');
  },
  remove: async () => {},
  holder: async () => ({
    unlock: async () => true,
    isOpen: async () => true,
    close() {},
    run: (work) => work(),
  }),
};

async function asPerson(
  app: WorkspaceApp,
  member: { readonly workspace: string; readonly person: string; readonly rights: Rights },
  layers: ReturnType<typeof entryLayers>,
): Promise<WorkspaceApp> {
  const { workspace, person, rights } = member;
  const { root } = app.workspace;
  const own: WorkspaceApp = {
    ...(await layers.seenBy(app, member)),
    approvals: approvalsOf(app.approvals, root, rights),
    jobs: jobsOf(app.jobs, root),
    library: libraryOf(app.library, rights),
    operator: {
      name: async () => person,
      presence: async () => ({ isPresent: true }),
      terminal: async () => undefined,
    },
    approver: {
      isThere: async () => false,
      asksAgain: async () => false,
      ask: async () => ({ verdict: 'nobody' }),
    },
    waitingWork: [],
  };
  // The approval permits the change, so that it is written with all rights.
  const all = { ...rights, scopes: SCOPES };
  const ports = () => ({
    ...own,
    ledger: ledgerOf(app.ledger, all),
    library: libraryOf(app.library, all),
    isCitationUri,
  });
  const movePorts = async () => ({
    ...ports(),
    ledgers: { workspace: ledgerOf(app.ledger, all), team: ledgerOf(await layers.teamLedger(), all, 'team') },
    own: (owner: string) => layers.ownLedger(workspace, owner),
  });
  return {
    ...own,
    waitingWork: [
      { reason: 'knowledge_promote', run: async (approval) => promoteAsApproved(ports(), approval) },
      { reason: 'knowledge_add', run: async (approval) => addAsApproved(ports(), approval) },
      {
        reason: 'knowledge_move',
        run: async (approval) => moveAsApproved(await movePorts(), approval),
      },
      {
        reason: 'reference_topic_create',
        run: (approval, report, signal) => createAsApproved(ports(), approval, report, signal),
      },
    ],
  };
}
