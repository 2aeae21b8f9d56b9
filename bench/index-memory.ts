// node bench/index-memory.ts FILE COUNT: indexes and embeds this many synthetic chunks, prints its peak memory in KiB.
import { builtinEmbedder } from '../src/adapters/embedders/builtin.ts';
import { SEARCH_INDEX } from '../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../src/adapters/sqlite/index/index-store.ts';
import { derivedDatabase } from '../src/adapters/sqlite/seam/derived-database.ts';
import { embedChunks, indexItems, tidyIndex } from '../src/domain/search/index/index-items.ts';
import { syntheticItems } from './synthetic-chunks.ts';

const [file = '', count = '0'] = process.argv.slice(2);
const database = derivedDatabase({ file, migrations: SEARCH_INDEX });
const store = sqliteIndexStore(database);
await indexItems({ store }, { items: syntheticItems(Number(count)) });
await embedChunks({ store, embedder: builtinEmbedder() });
await tidyIndex({ store });
await database.close();
console.log(process.resourceUsage().maxRSS);
