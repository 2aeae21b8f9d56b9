/** The same questions to a process that keeps its index, and to one whose database finds the candidates. */

import { postgresIndexStore } from '../../src/adapters/postgres/index/index-store.ts';
import { startServing } from '../../src/adapters/postgres/index/start-serving.ts';
import type { Database } from '../../src/adapters/postgres/seam/database.ts';
import { openDatabase } from '../../src/adapters/postgres/seam/open-database.ts';
import { type SearchEngine, searchEngine } from '../../src/domain/search/engine/search-engine.ts';
import { embedChunks, indexItems, tidyIndex } from '../../src/domain/search/index/index-items.ts';
import { meanQuality, percentile, rankingQuality } from '../../src/domain/search/quality/ranking-quality.ts';
import { startPglite } from '../../test/team/pglite.ts';
import { type Collection, collectionNames, readCollection, whyNoCollections } from './collections.ts';
import { type Cut, cutsOf } from './cuts.ts';
import { embedder, itemsOf } from './indexed-cut.ts';
import { markdown } from './tables.ts';

const BAR = 0.01;
/** As many as the WebAssembly build indexes in a few seconds, in exact order; a real server takes more, by HNSW. */
const SIZES = { lite: 500, real: 5000 } as const;
const DEPTH = 40;
const PER_ITEM = 3;

/** KEN_BENCH_SERVED_URL names a PostgreSQL with both extensions; PGlite otherwise. */
export async function servedReport(): Promise<string[]> {
  if (whyNoCollections) {
    console.log(`served-quality: skipped, ${whyNoCollections}`);
    return [];
  }
  const real = process.env.KEN_BENCH_SERVED_URL;
  const lite = real === undefined ? await startPglite() : undefined;
  const database = await openDatabase(real ?? lite?.url ?? '');
  const all = collectionNames().map(readCollection);
  const rows: Row[] = [];
  for (const collection of all) {
    const row = await compare(database, collection, { all, isReal: !lite });
    process.stderr.write(`bench: served ${cellsOf(row).join(' ')}\n`);
    rows.push(row);
  }
  await database.close();
  await lite?.close();
  const heading = ['collection', 'chunks', 'questions', 'kept', 'served', 'p95 kept', 'p95 served'];
  console.log(markdown([heading, ...rows.map(cellsOf)]));
  return rows
    .filter(({ kept, served }) => Math.abs(kept.ndcg - served.ndcg) > BAR)
    .map(({ name, kept, served }) => `${name}: ${served.ndcg.toFixed(3)}, ${kept.ndcg.toFixed(3)} kept`);
}

interface Row {
  readonly name: string;
  readonly chunks: number;
  readonly questions: number;
  readonly kept: Quality;
  readonly served: Quality;
}

interface Quality {
  readonly ndcg: number;
  readonly p95: number;
}

interface Place {
  readonly all: readonly Collection[];
  readonly isReal: boolean;
}

async function compare(database: Database, collection: Collection, { all, isReal }: Place): Promise<Row> {
  const { name } = collection;
  const [cut = cutsOf(collection, 'whole', all)[0]] = cutsOf(
    collection,
    isReal ? SIZES.real : SIZES.lite,
    all,
  );
  if (!cut) throw new Error(`${name} has no texts.`);
  const tenant = { team: `bench-${process.pid}-${Date.now()}`, workspace: name };
  const store = postgresIndexStore(database, tenant);
  await indexItems({ store }, { items: itemsOf(cut.texts) });
  await embedChunks({ store, embedder });
  await tidyIndex({ store });
  await startServing(database, tenant, { hasNearIndex: isReal });
  const kept = { ...store, servedFacts: async () => undefined };
  const ask = (one: typeof store) => quality(searchEngine({ stores: [one], embedder }), cut);
  const questions = cut.asked.filter(({ sort }) => sort === 'own').length;
  const row = { name, chunks: cut.texts.length, questions, kept: await ask(kept), served: await ask(store) };
  await store.clear();
  return row;
}

async function quality(engine: SearchEngine, cut: Cut): Promise<Quality> {
  const documents = new Map(itemsOf(cut.texts).map(({ id }) => [id, [] as string[]]));
  for (const [id, texts] of Map.groupBy(cut.texts, (text) => itemsOf([text])[0]?.id ?? ''))
    documents.set(
      id,
      texts.map(({ document }) => document),
    );
  const qualities = [];
  const times: number[] = [];
  for (const { text, group, exclude, relevant } of cut.asked.filter(({ sort }) => sort === 'own')) {
    const began = performance.now();
    const { hits, nearMisses } = await engine.search({
      question: text,
      limit: DEPTH,
      perItem: PER_ITEM,
      ...(group !== undefined && { isWantedGroup: ({ topic }: { topic: string }) => topic === group }),
    });
    times.push(performance.now() - began);
    const found = [...hits, ...nearMisses].map(({ chunk }) => documents.get(chunk.id)?.[chunk.ordinal] ?? '');
    qualities.push(
      rankingQuality(
        relevant,
        [...new Set(found)].filter((id) => !exclude?.includes(id)),
      ),
    );
  }
  return { ndcg: meanQuality(qualities).ndcg10, p95: percentile(times, 0.95) };
}

function cellsOf({ name, chunks, questions, kept, served }: Row): string[] {
  const ms = (time: number) => `${time.toFixed(0)} ms`;
  return [
    name,
    String(chunks),
    String(questions),
    kept.ndcg.toFixed(3),
    served.ndcg.toFixed(3),
    ms(kept.p95),
    ms(served.p95),
  ];
}
