import path from 'node:path';
import type { App, OpenRequest } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Directories, Workspace } from '../base/places.ts';
import type { Config } from '../config/schema.ts';
import type { Chunker } from '../domain/chunks/chunker.ts';
import type { SubjectRanker } from '../domain/knowledge-base/subject-ranker.ts';
import { indexFile } from './index-file.ts';

/** For `learn`. Loaded at the first search: learning by name needs none of it. */
export function openSubjectRanker(
  ports: Pick<App, 'searchIndex' | 'engine' | 'embedder' | 'chunker' | 'topicFiles' | 'hasher'>,
  { kb }: Config,
): SubjectRanker {
  return deferred(async () => {
    const { indexedSubjectRanker } = await import('../domain/search/engine/indexed-subject-ranker.ts');
    const { subjectSource } = await import('../domain/search/sources/subject-source.ts');
    const { bm25Ranker } = await import('../domain/knowledge-base/bm25-ranker.ts');
    const { knowledgeBaseFrom } = await import('../domain/knowledge-base/topic.ts');
    const { searchIndex: store, engine, embedder } = ports;
    const source = subjectSource(ports, knowledgeBaseFrom(kb));
    return indexedSubjectRanker({ store, engine, embedder, source, plain: bm25Ranker });
  });
}

interface OpenedSearch {
  readonly ports: Pick<App, 'searchIndex' | 'embedder' | 'chunker'>;
  close(): Promise<void>;
}

/** The workspace's index, the embedder and the chunker, each opened when it is first needed. */
export function openSearch(
  { environment, warn }: OpenRequest,
  directories: Directories,
  workspace: Workspace | undefined,
  { search }: Config,
): OpenedSearch {
  const opened: { close(): Promise<void> }[] = [];
  const searchIndex = deferred(async () => {
    const { searchDatabase } = await import('../adapters/sqlite/index/index-database.ts');
    const { sqliteIndexStore } = await import('../adapters/sqlite/index/index-store.ts');
    const file = indexFile(workspace?.home ?? directories.cache, directories, 'workspace');
    const database = searchDatabase({ file, records: path.join(directories.state, 'inspected'), warn });
    opened.push(database);
    return sqliteIndexStore(database);
  });
  const embedder = deferred(async () => {
    const { openEmbedder } = await import('../adapters/embedders/open-embedder.ts');
    return openEmbedder({
      name: search.embedder,
      url: search.embedder_url,
      apiKey: environment.OPENAI_API_KEY,
    });
  });
  const chunker = deferred<Chunker>(async () => {
    const { treeSitterChunker } = await import('../adapters/chunkers/tree-sitter.ts');
    const parsing = treeSitterChunker();
    opened.push(parsing);
    return parsing;
  });
  return {
    ports: { searchIndex, embedder, chunker },
    async close() {
      await Promise.all(opened.map((one) => one.close()));
    },
  };
}
