import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { searchDatabase } from '../adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../adapters/sqlite/index/index-store.ts';
import { systemHasher } from '../adapters/system/hasher.ts';
import type { App } from '../app.ts';
import { lazyPort, untilMade } from '../base/lazy.ts';
import type { Directories } from '../base/places.ts';
import { searchEngine } from '../domain/search/engine/search-engine.ts';
import type { IndexStore } from '../domain/search/index/index-store.ts';
import type { Surroundings } from './part.ts';
import { libraryRoot } from './references.ts';

export type SearchPorts = Pick<
  App,
  'searchIndex' | 'referenceStore' | 'engine' | 'embedder' | 'chunker' | 'subjectRanker'
>;

/** The index of the workspace and that of the reference library, and what fills and searches them. */
export function openSearch(surroundings: Surroundings, app: App): SearchPorts {
  const { request, directories, workspace, onClose } = surroundings;
  const home = workspace?.home ?? directories.cache;
  const searchIndex = openIndex(surroundings, indexFile(home, directories, 'workspace'));
  const file = indexFile(libraryRoot(surroundings, app.config), directories, 'references');
  // The index of the library is not made before something is put there.
  const referenceStore = untilMade<IndexStore>(() => existsSync(file), openIndex(surroundings, file), {
    items: async () => new Map(),
    revision: async () => undefined,
    unembedded: async () => [],
    segments: async () => [],
  });
  const { embedder: name, embedder_url: url } = app.config.search;
  const embedder = lazyPort<App['embedder']>(async () => {
    const { openEmbedder } = await import('../adapters/embedders/open-embedder.ts');
    return openEmbedder({ name, url, apiKey: request.environment.OPENAI_API_KEY });
  });
  const chunker = lazyPort<App['chunker']>(async () => {
    const { treeSitterChunker } = await import('../adapters/chunkers/tree-sitter.ts');
    const parsing = treeSitterChunker();
    onClose('store', () => parsing.close());
    return parsing;
  });
  // Callers name the stores they want searched by the app's own objects.
  const engine = searchEngine({ stores: [app.searchIndex, app.referenceStore], embedder });
  return { searchIndex, referenceStore, engine, embedder, chunker, subjectRanker: openSubjectRanker(app) };
}

/** For `learn`. */
function openSubjectRanker(app: App): App['subjectRanker'] {
  return lazyPort(async () => {
    const { indexedSubjectRanker } = await import('../domain/search/engine/indexed-subject-ranker.ts');
    const { subjectSource } = await import('../domain/search/sources/subject-source.ts');
    const { bm25Ranker } = await import('../domain/knowledge-base/subject-ranker.ts');
    const { knowledgeBaseFrom } = await import('../domain/knowledge-base/topic.ts');
    const { searchIndex: store, engine, embedder, config } = app;
    const source = subjectSource(app, knowledgeBaseFrom(config.kb));
    return indexedSubjectRanker({ store, engine, embedder, source, plain: bm25Ranker });
  });
}

function openIndex({ request, directories, onClose }: Surroundings, file: string): IndexStore {
  return lazyPort<IndexStore>(async () => {
    const records = path.join(directories.state, 'inspected');
    const database = searchDatabase({ file, records, warn: request.warn });
    onClose('store', () => database.close());
    return sqliteIndexStore(database);
  });
}

/** Where the index of `root` is: in it, or in the cache where `root` may only be read. */
function indexFile(root: string, { cache }: Directories, kind: 'references' | 'workspace'): string {
  try {
    accessSync(root, constants.W_OK);
  } catch {
    if (existsSync(root)) return path.join(cache, `${kind}-${systemHasher.sha256(root).slice(0, 16)}.db`);
  }
  return path.join(root, 'index.db');
}
