/**
 * One of several processes on one index:
 *   FILE NAME COUNT   indexes COUNT items of its own, a few at a time, replaces half of them, removes every fifth;
 *                     after each step it searches for one of them, while the others write
 * Tells how many it found.
 */

import { writeSync } from 'node:fs';
import { builtinEmbedder } from '../../src/adapters/embedders/builtin.ts';
import { SEARCH_INDEX } from '../../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../../src/adapters/sqlite/index/index-store.ts';
import { derivedDatabase } from '../../src/adapters/sqlite/seam/derived-database.ts';
import { searchEngine } from '../../src/domain/search/engine/search-engine.ts';
import type { IndexItem } from '../../src/domain/search/index/index-item.ts';
import { embedChunks, indexItems, tidyIndex } from '../../src/domain/search/index/index-items.ts';

const [file = '', name = '', count = '0'] = process.argv.slice(2);
const warn = (text: string) => process.stderr.write(`${text}\n`);
const database = derivedDatabase({ file, migrations: SEARCH_INDEX, warn });
const store = sqliteIndexStore(database);
const embedder = builtinEmbedder();
const engine = searchEngine({ stores: [store], embedder });
const BATCH = 5;

function item(number: number, version: string): IndexItem {
  const id = `${name}-${number}`;
  const chunks = [1, 2].map((line) => ({
    heading: `part ${line}`,
    body: `The ${version} text of ${name}item${number}, part ${line}, about ferries and tickets.`,
    firstLine: line,
    lastLine: line,
  }));
  const shared = { source: name, kind: 'subject', topic: 'ferries', path: '', labels: new Map() } as const;
  return { ...shared, id, title: id, hash: version, meta: {}, chunks };
}

let found = 0;
async function search(number: number): Promise<void> {
  const { hits } = await engine.search({ question: `${name}item${number}`, limit: 3 });
  if (hits.some(({ chunk }) => chunk.id === `${name}-${number}`)) found += 1;
}

const numbers = Array.from({ length: Number(count) }, (_, at) => at);
for (let at = 0; at < numbers.length; at += BATCH) {
  const batch = numbers.slice(at, at + BATCH);
  await indexItems({ store }, { items: batch.map((number) => item(number, 'first')) });
  await search(at);
  const again = batch.filter((number) => number % 2 === 0).map((number) => item(number, 'second'));
  await indexItems({ store }, { items: again });
  await embedChunks({ store, embedder });
}
const removed = numbers.filter((number) => number % 5 === 4);
await indexItems(
  { store },
  { removed: removed.map((number) => ({ source: name, id: `${name}-${number}` })), items: [] },
);
await tidyIndex({ store });
await database.close();
writeSync(1, String(found));
