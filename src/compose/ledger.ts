import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../adapters/sqlite/seam/database.ts';
import type { App, LedgerPorts, WorkspaceApp } from '../app.ts';
import { Fault } from '../base/fault.ts';
import { lazyPort, lazyResource, portAtEachCall, untilMade } from '../base/lazy.ts';
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

type Stores = Pick<LedgerPorts, 'ledger' | 'sharedLedger' | 'entryRanker'>;

/** The database is opened at its first use, and made when something is first added. */
export function openLedgerStores(
  surroundings: Surroundings,
  workspace: Workspace,
  app: App,
): Stores & Pick<LedgerPorts, 'evidence' | 'history'> {
  const { request, onClose } = surroundings;
  const directory = ledgerDirectory(workspace);
  // The configuration is that of the workspace that is open.
  const isShared = workspace.root === surroundings.workspace?.root && app.config.knowledge.share === 'git';
  const isMade = () =>
    existsSync(path.join(directory, 'knowledge.db')) ||
    (isShared && existsSync(path.join(directory, 'shared')));
  const stores = newestStores(() => openStores(surroundings, workspace, app, isShared), onClose);
  const evidence = lazyPort<LedgerPorts['evidence']>(async () => {
    const { evidenceFilesIn } = await import('../adapters/files/evidence-files.ts');
    return evidenceFilesIn(workspace.root);
  });
  const history = lazyPort<LedgerPorts['history']>(async () => {
    const { gitHistory } = await import('../adapters/git/workspace-history.ts');
    return gitHistory(app.processes, workspace.root, request.environment.PATH ?? '');
  });
  return {
    ledger: untilMade(isMade, stores.ledger, EMPTY_LEDGER),
    sharedLedger: isShared ? untilMade(isMade, stores.sharedLedger, UNSHARED_LEDGER) : UNSHARED_LEDGER,
    entryRanker: untilMade(isMade, stores.entryRanker, { rank: async () => [] }),
    evidence,
    history,
  };
}

interface OpenStores extends Stores {
  /** Whether they read a copy of what has changed since. */
  isOutdated(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens them anew when they are outdated. The ones before stay open for calls that began with them. */
function newestStores(open: () => OpenStores, onClose: Surroundings['onClose']): Stores {
  const kept = [open()];
  onClose('store', async () => void (await Promise.all(kept.map((each) => each.close()))));
  const newest = async () => {
    const [last] = kept.slice(-1) as [OpenStores];
    if (!(await last.isOutdated()) || kept.at(-1) !== last) return kept.at(-1) ?? last;
    const next = open();
    kept.push(next);
    if (kept.length > MOST_KEPT) await kept.shift()?.close();
    return next;
  };
  return {
    ledger: portAtEachCall(async () => (await newest()).ledger),
    sharedLedger: portAtEachCall(async () => (await newest()).sharedLedger),
    entryRanker: portAtEachCall(async () => (await newest()).entryRanker),
  };
}

const MOST_KEPT = 3;

function openStores(
  surroundings: Surroundings,
  workspace: Workspace,
  app: App,
  isShared: boolean,
): OpenStores {
  const { request, directories } = surroundings;
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
  const shared = lazyResource(async () => {
    const { sharedLedgerStores } = await import('../adapters/sqlite/ledger/shared/shared-store.ts');
    const outlets = await sharedOutlets(surroundings, path.join(directory, 'shared'));
    return sharedLedgerStores(await database(), await own(), outlets);
  });
  return {
    ledger: lazyPort<LedgerStore>(isShared ? async () => (await shared.use()).ledger : own),
    entryRanker: lazyPort<LedgerPorts['entryRanker']>(async () => {
      const { sqliteEntryRanker } = await import('../adapters/sqlite/ledger/entry-ranker.ts');
      if (isShared) await (await shared.use()).receive();
      return sqliteEntryRanker(await database());
    }),
    sharedLedger: lazyPort<SharedLedger>(async () => {
      const { refusal } = await opened.use();
      const { sharedLedger } = await shared.use();
      return refusal ? (await readOnly()).readOnlySharing(sharedLedger, refusal) : sharedLedger;
    }),
    isOutdated: async () => (await opened.current())?.isOutdated?.() === true,
    close: async () => (await opened.current())?.database.close(),
  };
}

const readOnly = () => import('../domain/ledger/read-only-ledger.ts');

interface OpenedLedger {
  readonly database: Database;
  /** Why nothing can be written; the database is a copy then. */
  readonly refusal?: Fault;
  /** Whether what was copied has changed since. */
  isOutdated?(): boolean;
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
    return { database, refusal, isOutdated: copy.isOutdated };
  } catch {
    return undefined;
  } finally {
    copy.remove();
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
