import path from 'node:path';
import { builtinEmbedder } from '../../src/adapters/embedders/builtin.ts';
import { SEARCH_INDEX } from '../../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../../src/adapters/sqlite/index/index-store.ts';
import { derivedDatabase } from '../../src/adapters/sqlite/seam/derived-database.ts';
import type { IndexItem } from '../../src/domain/search/index/index-item.ts';
import { embedChunks, indexItems, tidyIndex } from '../../src/domain/search/index/index-items.ts';
import type { IndexStore } from '../../src/domain/search/index/index-store.ts';
import type { Collection, CollectionText } from './collections.ts';

export const embedder = builtinEmbedder();

export interface IndexedCollection extends Collection {
  readonly store: IndexStore;
  close(): Promise<void>;
}

/** The collection as ken would index it: each text an item of one chunk, groups as topics. */
export async function indexCollection(collection: Collection, directory: string): Promise<IndexedCollection> {
  const file = path.join(directory, `${collection.name}.db`);
  const database = derivedDatabase({ file, migrations: SEARCH_INDEX });
  const store = sqliteIndexStore(database);
  await indexItems({ store }, { items: collection.texts.map(itemOf) });
  await embedChunks({ store, embedder });
  await tidyIndex({ store });
  return { ...collection, store, close: () => database.close() };
}

function itemOf({ id, title = '', text, group = '' }: CollectionText): IndexItem {
  return {
    source: 'refs',
    id,
    kind: 'chunk',
    topic: group,
    path: '',
    title,
    hash: '',
    meta: {},
    labels: new Map(),
    chunks: [{ heading: '', body: text, firstLine: 0, lastLine: 0 }],
  };
}
