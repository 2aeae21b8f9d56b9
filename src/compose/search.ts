import path from 'node:path';
import type { App, OpenRequest } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Directories, Workspace } from '../base/places.ts';
import type { Config } from '../config/schema.ts';

interface OpenedSearch {
  readonly ports: Pick<App, 'searchIndex' | 'embedder'>;
  close(): Promise<void>;
}

/** The workspace's index and the embedder, each opened at the first question. */
export function openSearch(
  { environment, warn }: OpenRequest,
  directories: Directories,
  workspace: Workspace | undefined,
  { search }: Config,
): OpenedSearch {
  let close = async () => {};
  const searchIndex = deferred(async () => {
    const { searchDatabase } = await import('../adapters/sqlite/index-database.ts');
    const { sqliteIndexStore } = await import('../adapters/sqlite/index-store.ts');
    const file = path.join(workspace?.home ?? directories.cache, 'index.db');
    const database = searchDatabase({ file, records: path.join(directories.state, 'inspected'), warn });
    close = () => database.close();
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
  return { ports: { searchIndex, embedder }, close: () => close() };
}
