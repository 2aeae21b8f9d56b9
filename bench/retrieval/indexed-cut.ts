/** Indexes of collections, kept between runs in a temporary folder for as long as the code that makes them is the same. */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtinEmbedder } from '../../src/adapters/embedders/builtin.ts';
import { SEARCH_INDEX } from '../../src/adapters/sqlite/index/index-schema.ts';
import { sqliteIndexStore } from '../../src/adapters/sqlite/index/index-store.ts';
import { derivedDatabase } from '../../src/adapters/sqlite/seam/derived-database.ts';
import { roleOf } from '../../src/domain/references/search/reference-index.ts';
import type { IndexItem } from '../../src/domain/search/index/index-item.ts';
import { embedChunks, indexItems, tidyIndex } from '../../src/domain/search/index/index-items.ts';
import type { IndexStore } from '../../src/domain/search/index/index-store.ts';
import { FILES } from '../../src/domain/search/sources/reference-items.ts';
import type { CollectionText } from './collections.ts';

export const embedder = builtinEmbedder();

export interface IndexedTexts {
  readonly store: IndexStore;
  /** The text that a chunk of an item is. */
  textOf(chunk: { readonly id: string; readonly ordinal: number }): CollectionText;
  close(): Promise<void>;
}

/** Smaller ones are made faster than they are read. */
const LEAST_KEPT = 2000;

/** The texts as ken would index them: files as items, texts as their chunks, groups as topics. */
export async function indexTexts(name: string, texts: readonly CollectionText[]): Promise<IndexedTexts> {
  const items = filesOf(texts);
  const byItem = new Map(items.map(({ id, rows }) => [id, rows]));
  const file = texts.length < LEAST_KEPT ? ':memory:' : path.join(keptFolder(), `${name}.db`);
  if (file !== ':memory:' && !existsSync(file)) {
    await fill(`${file}.new`, items);
    renameSync(`${file}.new`, file);
  }
  const { store, close } = file === ':memory:' ? await fill(file, items, true) : open(file);
  const textOf: IndexedTexts['textOf'] = ({ id, ordinal }) => byItem.get(id)?.[ordinal] as CollectionText;
  return { store, close, textOf };
}

/** The texts as items of an index. */
export function itemsOf(texts: readonly CollectionText[]): IndexItem[] {
  return filesOf(texts).map(itemOf);
}

function filesOf(texts: readonly CollectionText[]): File[] {
  return [...Map.groupBy(texts, fileOf)].map(([id, rows]) => ({ id, rows }));
}

function fileOf({ group = '', title, path: file }: CollectionText): string {
  return `${group || title}:${file}`;
}

interface File {
  readonly id: string;
  readonly rows: readonly CollectionText[];
}

function open(file: string) {
  const database = derivedDatabase({ file, migrations: SEARCH_INDEX });
  return { store: sqliteIndexStore(database), close: () => database.close() };
}

async function fill(file: string, items: readonly File[], staysOpen = false) {
  const { store, close } = open(file);
  await indexItems({ store }, { items: items.map(itemOf) });
  await embedChunks({ store, embedder });
  await tidyIndex({ store });
  if (!staysOpen) await close();
  return { store, close };
}

function itemOf({ id, rows }: File): IndexItem {
  const { path: file = '', title = '', group = '' } = rows[0] ?? {};
  return {
    source: FILES[roleOf(file)],
    id,
    kind: 'chunk',
    topic: group,
    path: file,
    title,
    hash: '',
    meta: {},
    labels: new Map(),
    chunks: rows.map(({ heading, text }) => ({ heading, body: text, firstLine: 1, lastLine: 1 })),
  };
}

let kept: string | undefined;

/** Named after the code that decides what is in an index; folders of other code are removed. */
function keptFolder(): string {
  if (kept !== undefined) return kept;
  const root = path.join(tmpdir(), `ken-bench-retrieval-${process.getuid?.() ?? 0}`);
  kept = path.join(root, sourceDigest());
  if (!existsSync(kept)) rmSync(root, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true, mode: 0o700 });
  return kept;
}

const PARTS = ['domain/words', 'domain/search/index', 'domain/search/postings', 'adapters/embedders'];

function sourceDigest(): string {
  const source = path.join(import.meta.dirname, '../../src');
  const folders = [...PARTS.map((part) => path.join(source, part)), import.meta.dirname];
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && !UNRELATED.includes(file))
      .sort()
      .map((file) => path.join(folder, file)),
  );
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(file));
  return digest.digest('hex').slice(0, 16);
}

/** Files of the benchmark that do not say what is indexed. */
const UNRELATED = [
  'report.ts',
  'tables.ts',
  'ask-cut.ts',
  'calibrate.ts',
  'fit-evidence.ts',
  'answers.ts',
  'served.ts',
];
