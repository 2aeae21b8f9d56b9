import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../adapters/sqlite/seam/database.ts';
import type { App, LedgerPorts, WorkspaceApp } from '../app.ts';
import { Fault } from '../base/fault.ts';
import { lazyPort, lazyResource, untilMade } from '../base/lazy.ts';
import { VERSION } from '../base/package-files.ts';
import type { Workspace } from '../base/places.ts';
import { shellWord } from '../base/shell-words.ts';
import type { CitedSource, SourceText } from '../domain/ledger/evidence/evidence.ts';
import type { SharedLedger } from '../domain/ledger/shared/shared-ledger.ts';
import { EMPTY_LEDGER, type LedgerStore, UNSHARED_LEDGER } from '../domain/ledger/store.ts';
import { ownDirectory, type Surroundings } from './part.ts';

export function openLedger(surroundings: Surroundings, app: WorkspaceApp): LedgerPorts {
  const { embedder, engine, clock, ledger, searchIndex: store } = app;
  return {
    ...openLedgerStores(surroundings, app.workspace, app),
    nearEntries: lazyPort<LedgerPorts['nearEntries']>(async () => {
      const { nearEntries } = await import('../domain/search/engine/near-entries.ts');
      return nearEntries({ store, embedder, engine, ledger, clock });
    }),
    citedSource: lazyPort(() => loadCitedSource(app)),
    nearness: lazyPort<LedgerPorts['nearness']>(async () =>
      (await import('../adapters/embedders/nearness.ts')).nearnessBy(embedder),
    ),
    foreignDatabases: lazyPort<LedgerPorts['foreignDatabases']>(
      async () => (await import('../adapters/sqlite/foreign/claude-mem.ts')).claudeMemDatabases,
    ),
    async openScratch(columns) {
      const { openScratchIn } = await import('../adapters/system/scratch.ts');
      return openScratchIn(surroundings.directories.cache, columns);
    },
    promotionLines: async () => {
      const { ledgerFilesIn } = await import('../adapters/files/ledger-files.ts');
      return ledgerFilesIn(ledgerDirectory(app.workspace)).lines('knowledge.promotions.jsonl');
    },
  };
}

/** The database is opened at its first use, and made when something is first added. */
export function openLedgerStores(
  surroundings: Surroundings,
  workspace: Workspace,
  app: App,
): Pick<LedgerPorts, 'ledger' | 'sharedLedger' | 'entryRanker' | 'evidence' | 'history'> {
  const { request, directories, onClose } = surroundings;
  const directory = ledgerDirectory(workspace);
  const file = path.join(directory, 'knowledge.db');
  const open = ledgerOpener(surroundings, workspace, app);
  const opened = lazyResource<OpenedLedger>(async () => {
    try {
      return { database: await open(file) };
    } catch (error) {
      const copy = await openedCopy(error, file, open);
      if (copy) return copy;
      throw await withNewestCopy(error, path.join(ownDirectory(directories, workspace), 'backups'));
    }
  });
  const database = async () => (await opened.use()).database;
  onClose('store', async () => (await opened.current())?.database.close());
  // The configuration is that of the workspace that is open.
  const isShared = workspace.root === surroundings.workspace?.root && app.config.knowledge.share === 'git';
  const shared = path.join(directory, 'shared');
  const isMade = () => existsSync(file) || (isShared && existsSync(shared));
  const own = async () => {
    const { ledgerFilesIn } = await import('../adapters/files/ledger-files.ts');
    const { openLedgerStore } = await import('../adapters/sqlite/ledger/ledger-store.ts');
    const outlets = {
      files: ledgerFilesIn(directory),
      warn: request.warn,
      key: await operatorKey(surroundings),
    };
    const { database, refusal } = await opened.use();
    if (!refusal) return openLedgerStore(database, outlets);
    const files = { lines: outlets.files.lines, append() {} };
    const copy = await openLedgerStore(database, { ...outlets, files });
    return (await readOnly()).readOnlyLedger(copy, refusal);
  };
  const stores = lazyResource(async () => {
    const { sharedLedgerStores } = await import('../adapters/sqlite/ledger/shared/shared-store.ts');
    return sharedLedgerStores(await database(), await own(), await sharedOutlets(surroundings, shared));
  });
  const ledger = lazyPort<LedgerStore>(isShared ? async () => (await stores.use()).ledger : own);
  const entryRanker = lazyPort<LedgerPorts['entryRanker']>(async () => {
    const { sqliteEntryRanker } = await import('../adapters/sqlite/ledger/entry-ranker.ts');
    if (isShared) await (await stores.use()).receive();
    return sqliteEntryRanker(await database());
  });
  const sharedLedger = lazyPort<SharedLedger>(async () => {
    const { refusal } = await opened.use();
    const { sharedLedger } = await stores.use();
    return refusal ? (await readOnly()).readOnlySharing(sharedLedger, refusal) : sharedLedger;
  });
  const evidence = lazyPort<LedgerPorts['evidence']>(async () => {
    const { evidenceFilesIn } = await import('../adapters/files/evidence-files.ts');
    return evidenceFilesIn(workspace.root);
  });
  const history = lazyPort<LedgerPorts['history']>(async () => {
    const { gitHistory } = await import('../adapters/git/workspace-history.ts');
    return gitHistory(app.processes, workspace.root, request.environment.PATH ?? '');
  });
  return {
    ledger: untilMade(isMade, ledger, EMPTY_LEDGER),
    sharedLedger: isShared ? untilMade(isMade, sharedLedger, UNSHARED_LEDGER) : UNSHARED_LEDGER,
    entryRanker: untilMade(isMade, entryRanker, { rank: async () => [] }),
    evidence,
    history,
  };
}

const readOnly = () => import('../domain/ledger/read-only-ledger.ts');

interface OpenedLedger {
  readonly database: Database;
  /** Why nothing can be written; the database is a copy then. */
  readonly refusal?: Fault;
}

/** Where the ledger may be read but not written. */
async function openedCopy(
  refusal: unknown,
  file: string,
  open: ReturnType<typeof ledgerOpener>,
): Promise<OpenedLedger | undefined> {
  if (!(refusal instanceof Fault) || !READ_ONLY.has(refusal.code)) return undefined;
  const { readableCopy } = await import('../adapters/sqlite/seam/readable-copy.ts');
  const copy = readableCopy(file);
  if (!copy) return undefined;
  try {
    const database = await open(copy.file, path.dirname(copy.file));
    const close = () => database.close().finally(copy.remove);
    return { database: { ...database, close }, refusal };
  } catch {
    copy.remove();
    return undefined;
  }
}

const READ_ONLY: ReadonlySet<string> = new Set(['files/unwritable', 'files/unreadable']);

async function sharedOutlets(surroundings: Surroundings, directory: string) {
  const { sharedFilesIn } = await import('../adapters/files/ledger-files.ts');
  const { systemClock, systemHasher } = await import('../adapters/system/primitives.ts');
  const { isCitationUri } = await import('../domain/search/citations/citation.ts');
  return {
    shared: sharedFilesIn(directory),
    key: await operatorKey(surroundings),
    hasher: systemHasher,
    now: () => systemClock.now(),
    warn: surroundings.request.warn,
    isCitationUri,
  };
}

/** Opens a ledger of the workspace, or a copy of it; an older one is copied before it is changed. */
export function ledgerOpener(surroundings: Surroundings, workspace: Workspace, app: App) {
  return async (file: string, records = path.join(surroundings.directories.state, 'inspected')) => {
    const { openLedgerDatabase } = await import('../adapters/sqlite/ledger/ledger-database.ts');
    return openLedgerDatabase({
      file,
      records,
      key: await operatorKey(surroundings),
      warn: surroundings.request.warn,
      async beforeMigration(copyTo) {
        const isInPlace = file === path.join(ledgerDirectory(workspace), 'knowledge.db');
        if (isInPlace) await copyOlder(surroundings, workspace, app, copyTo);
      },
    });
  };
}

export async function operatorKey({ directories, request }: Surroundings) {
  const { operatorKeyIn } = await import('../adapters/lock/operator-key.ts');
  return operatorKeyIn(directories.data, request.warn);
}

/** Not a copy of all: the other files are not changed, and a snapshot would open the ledger. */
async function copyOlder(
  { directories, request }: Surroundings,
  workspace: Workspace,
  app: App,
  copyTo: (target: string) => void,
): Promise<void> {
  const own = ownDirectory(directories, workspace);
  const { ledgerSnapshot } = await import('../adapters/files/backup/snapshot.ts');
  const { keepCopy } = await import('../domain/backup/keep-copy.ts');
  try {
    const snapshot = () => ledgerSnapshot(own, copyTo);
    const ports = { ...app, copiesDirectory: path.join(own, 'backups'), backupFiles: { snapshot } };
    const copy = { occasion: 'migration', parts: ['ledger'], ken: VERSION } as const;
    const name = path.basename(workspace.root);
    await keepCopy(ports, { ...copy, workspace: name }, new AbortController().signal);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    request.warn(`the ledger is not copied before it is brought up to date: ${error.message}`);
  }
}

/** The hint about a damaged ledger names the newest copy. */
async function withNewestCopy(error: unknown, directory: string): Promise<unknown> {
  if (!(error instanceof Fault) || error.code !== 'store/corrupt') return error;
  const { parseCopyName } = await import('../domain/backup/kept-copies.ts');
  const newest = existsSync(directory) && readdirSync(directory).filter(parseCopyName).sort().at(-1);
  const hint = newest
    ? `Run "ken restore ${shellWord(path.join(directory, newest))} --only ledger".`
    : 'Bring back a backup with "ken restore FILE --only ledger", or move the file away.';
  return new Fault(error.code, error.message, { hint, cause: error });
}

export function ledgerDirectory({ home }: Workspace): string {
  return path.join(home, 'knowledge');
}

/** Reads the source that `ref:` provenance names. */
async function loadCitedSource(app: WorkspaceApp): Promise<CitedSource> {
  const { parseCitation } = await import('../domain/search/citations/citation.ts');
  const { showCitation } = await import('../domain/search/citations/show-citation.ts');
  const { offeredKnowledge } = await import('../domain/knowledge-base/topic.ts');
  const { citedPlaces, unlessGone } = await import('../domain/search/citations/cited-places.ts');
  const knowledge = offeredKnowledge(app);
  return {
    async lines(uri) {
      const citation = parseCitation(uri);
      if (!citation) return { kind: 'unknown' };
      if (citation.kind === 'entry') return entryText(app.ledger, citation);
      const shown = await unlessGone(showCitation(app, knowledge, citation));
      return shown ? { kind: 'there', text: shown.text } : { kind: 'gone' };
    },
    async places(uri) {
      const citation = parseCitation(uri);
      return citation && citedPlaces(app, knowledge, citation);
    },
    async page(url) {
      const { keptPage } = await import('../domain/references/topic/find-topic.ts');
      const text = await keptPage(app, url);
      return text === undefined ? { kind: 'unknown' } : { kind: 'there', text };
    },
  };
}

async function entryText(
  ledger: LedgerStore,
  { id, version }: { readonly id: string; readonly version?: number },
): Promise<SourceText> {
  const versions = await ledger.versions(id);
  const cited = version === undefined ? versions.at(-1) : versions[version - 1];
  return cited ? { kind: 'there', text: `${cited.title}\n${cited.text}` } : { kind: 'gone' };
}
