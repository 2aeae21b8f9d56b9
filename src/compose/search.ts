import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../adapters/paths/real-path.ts';
import { searchDatabase } from '../adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../adapters/sqlite/index/index-store.ts';
import type { App } from '../app.ts';
import { checksum } from '../base/checksum.ts';
import { Fault } from '../base/fault.ts';
import { lazyPort, untilMade } from '../base/lazy.ts';
import { searchEngine } from '../domain/search/engine/search-engine.ts';
import type { IndexStore } from '../domain/search/index/index-store.ts';
import { type FusionWeights, MEASURED_WEIGHTS } from '../domain/search/ranking/fuse-scores.ts';
import { type Surroundings, workspaceName } from './part.ts';
import { libraryRoot } from './references.ts';

export type SearchPorts = Pick<
  App,
  'searchIndex' | 'referenceStore' | 'engine' | 'embedder' | 'chunker' | 'subjectRanker'
>;

export function openSearch(surroundings: Surroundings, app: App): SearchPorts {
  const { request, directories, workspace, onClose } = surroundings;
  // Never in the workspace: a repository could bring an index that says what its files do not.
  const place = workspace ? path.join('workspaces', workspaceName(workspace)) : '';
  const searchIndex = openIndex(surroundings, path.join(directories.cache, place, 'index.db'));
  const file = libraryIndex(surroundings, libraryRoot(surroundings, app.config));
  // The index of the library is not made before something is put there.
  const referenceStore = untilMade<IndexStore>(() => existsSync(file), openIndex(surroundings, file), {
    items: async () => new Map(),
    revision: async () => undefined,
    unembedded: async () => [],
    segments: async () => [],
  });
  const { embedder: name, embedder_url: url } = app.config.search;
  const opened = lazyPort<App['embedder']>(async () => {
    const { openEmbedder } = await import('../adapters/embedders/open-embedder.ts');
    return openEmbedder({ name, url, apiKey: request.environment.OPENAI_API_KEY });
  });
  const embedder = request.isAboutEmbedder ? opened : namedWhenAway(opened, request.warn);
  const chunker = lazyPort<App['chunker']>(async () => {
    const { treeSitterChunker } = await import('../adapters/chunkers/tree-sitter.ts');
    const parsing = treeSitterChunker();
    onClose('store', () => parsing.close());
    return parsing;
  });
  // Callers name the stores they want searched by the app's own objects.
  const stores = [app.searchIndex, app.referenceStore];
  const engine = searchEngine({ stores, embedder, weights: fusionWeights(app.config.search.weights) });
  return { searchIndex, referenceStore, engine, embedder, chunker, subjectRanker: openSubjectRanker(app) };
}

/** Without its embedder, search goes on by words alone, so the first failure is named, once. */
function namedWhenAway(embedder: App['embedder'], warn: (text: string) => void): App['embedder'] {
  let isNamed = false;
  const named = async <Value>(asked: Promise<Value>): Promise<Value> => {
    try {
      return await asked;
    } catch (error) {
      if (error instanceof Fault && !isNamed) {
        isNamed = true;
        warn(['Search ranks by words alone.', error.message, error.hint ?? ''].join(' ').trimEnd());
      }
      throw error;
    }
  };
  return {
    identity: () => named(embedder.identity()),
    embed: (texts, purpose) => named(embedder.embed(texts, purpose)),
  };
}

type ConfiguredWeights = App['config']['search']['weights'];

/** A weight that is not configured is as measured. */
function fusionWeights({ lexical, dense }: ConfiguredWeights): FusionWeights {
  const weights = { lexical: lexical ?? MEASURED_WEIGHTS.lexical, dense: dense ?? MEASURED_WEIGHTS.dense };
  return weights.lexical + weights.dense > 0 ? weights : MEASURED_WEIGHTS;
}

export function openSubjectRanker(app: App): App['subjectRanker'] {
  return lazyPort(async () => {
    const { indexedSubjectRanker } = await import('../domain/search/engine/indexed-subject-ranker.ts');
    const { subjectSource } = await import('../domain/search/sources/subject-source.ts');
    const { bm25Ranker } = await import('../domain/knowledge-base/subject-ranker.ts');
    const { offeredKnowledge } = await import('../domain/knowledge-base/topic.ts');
    const { searchIndex: store, engine, embedder } = app;
    const source = subjectSource(app, offeredKnowledge(app));
    return indexedSubjectRanker({ store, engine, embedder, source, plain: bm25Ranker });
  });
}

function openIndex({ request, onClose }: Surroundings, file: string): IndexStore {
  return lazyPort<IndexStore>(async () => {
    const database = searchDatabase(file, request.warn);
    onClose('store', () => database.close());
    return sqliteIndexStore(database);
  });
}

/** In the library, or in the cache where that may only be read or lies in the workspace. */
export function libraryIndex({ directories, workspace }: Surroundings, root: string): string {
  const elsewhere = path.join(directories.cache, `references-${checksum(root)}.db`);
  if (workspace && isInside(root, workspace.root) && !isInside(directories.data, workspace.root))
    return elsewhere;
  try {
    accessSync(root, constants.W_OK);
  } catch {
    if (existsSync(root)) return elsewhere;
  }
  return path.join(root, 'index.db');
}
