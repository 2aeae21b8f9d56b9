import { existsSync } from 'node:fs';
import path from 'node:path';
import { homeDirectory } from '../adapters/system/account.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemHasher } from '../adapters/system/hasher.ts';
import type { App, OpenRequest } from '../app.ts';
import { deferred, unlessMade } from '../base/deferred.ts';
import { late } from '../base/late.ts';
import type { Directories } from '../base/places.ts';
import type { Config } from '../config/schema.ts';
import type { WaitingWork } from '../domain/approvals/decide-approval.ts';
import type { WriterLocks } from '../domain/conversations/writer-lock.ts';
import type { FetchPorts } from '../domain/references/lifecycle/fetch-topic.ts';
import type { ReferenceIndex } from '../domain/references/search/reference-index.ts';
import type { LocalDirectories } from '../domain/references/sources/git-reader.ts';
import type { ReferenceLibrary, TopicTransfer } from '../domain/references/topic/library.ts';
import type { SearchEngine } from '../domain/search/engine/search-engine.ts';
import type { IndexStore } from '../domain/search/index/index-store.ts';
import { openGit } from './git.ts';
import { indexFile } from './index-file.ts';

interface OpenedReferences {
  readonly ports: Pick<
    App,
    | 'library'
    | 'referenceIndex'
    | 'referenceStore'
    | 'engine'
    | 'localDirectories'
    | 'topicTransfer'
    | 'gitReader'
  >;
  readonly work: WaitingWork;
  close(): Promise<void>;
}

type OutsidePorts = Pick<
  App,
  | 'searchIndex'
  | 'embedder'
  | 'chunker'
  | 'web'
  | 'html'
  | 'hosts'
  | 'processes'
  | 'processWatch'
  | 'hasher'
  | 'clock'
> & { readonly config: Config };

/** The library and its index; neither is made before something is put there. */
export function openReferences(
  request: OpenRequest,
  directories: Directories,
  outside: OutsidePorts,
): OpenedReferences {
  const { directory, warn } = request;
  const { config, searchIndex, embedder, chunker } = outside;
  const root = libraryRoot(request, directories, config);
  const file = late(() => indexFile(root, directories, 'references'));
  let close = async () => {};
  const onDisk = deferred<ReferenceLibrary>(async () => {
    const { fileReferenceLibrary } = await import('../adapters/files/references/library.ts');
    const locks = deferred<WriterLocks>(async () => {
      const { sqliteWriterLocks } = await import('../adapters/sqlite/seam/writer-locks.ts');
      return sqliteWriterLocks(systemClock);
    });
    return fileReferenceLibrary({ root, locks });
  });
  const library = unlessMade(() => existsSync(root), onDisk, { list: async () => [] });
  const made = deferred<IndexStore>(async () => {
    const { searchDatabase } = await import('../adapters/sqlite/index/index-database.ts');
    const { sqliteIndexStore } = await import('../adapters/sqlite/index/index-store.ts');
    const database = searchDatabase({
      file: file(),
      records: path.join(directories.state, 'inspected'),
      warn,
    });
    close = () => database.close();
    return sqliteIndexStore(database);
  });
  const referenceStore = unlessMade<IndexStore>(() => existsSync(file()), made, {
    items: async () => new Map(),
    revision: async () => undefined,
    unembedded: async () => [],
    segments: async () => [],
  });
  const engine = deferred<SearchEngine>(async () => {
    const { searchEngine } = await import('../domain/search/engine/search-engine.ts');
    return searchEngine({ stores: [searchIndex, referenceStore], embedder });
  });
  const referenceIndex = deferred<ReferenceIndex>(async () => {
    const { referenceIndex: open } = await import('../domain/search/engine/reference-index.ts');
    return open({ store: referenceStore, library, embedder, engine, chunker, hasher: systemHasher });
  });
  const { max_files: maxFiles, max_bytes: maxBytes } = config.references;
  const localDirectories = deferred<LocalDirectories>(async () => {
    const { localDirectories: open } = await import('../adapters/files/local-directories.ts');
    return open(directory, { maxFiles, maxBytes });
  });
  const topicTransfer = deferred<TopicTransfer>(async () =>
    (await import('../adapters/files/references/topic-transfer.ts')).topicTransfer(root),
  );
  const git = openGit(request, directories, outside);
  const ports = { library, referenceIndex, referenceStore, engine, localDirectories, topicTransfer, ...git };
  return { ports, work: topicWork({ ...outside, ...ports }), close: () => close() };
}

function libraryRoot({ environment }: OpenRequest, directories: Directories, { references }: Config): string {
  const { root } = references;
  if (root === undefined) return path.join(directories.data, 'references');
  return path.resolve(
    directories.data,
    root.replace(/^~(?=\/|$)/, () => homeDirectory(environment)),
  );
}

/** Approving a topic fetches it there and then. */
function topicWork(ports: FetchPorts): WaitingWork {
  return {
    reason: 'reference_topic_create',
    async run(approval, report, signal) {
      const { createAsApproved } = await import('../domain/references/lifecycle/create-topic.ts');
      return createAsApproved(ports, approval, report, signal);
    },
  };
}
