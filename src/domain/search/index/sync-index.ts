/** Brings an index up to date with its sources. A sync that was interrupted is continued by the next one. */

import { Fault } from '../../../base/fault.ts';
import type { IndexProgress } from '../../references/search/reference-index.ts';
import type { KnownItems, Listing, SourceFailure, SourceItem } from '../sources/search-source.ts';
import type { Embedder } from './embedder.ts';
import type { IndexItem, ItemMeta, KnownItem } from './index-item.ts';
import type { IndexCount } from './index-items.ts';
import { type IndexStore, type ItemKey, NOTHING_KNOWN } from './index-store.ts';

export interface SyncPorts {
  readonly store: IndexStore;
  readonly embedder: Embedder | undefined;
}

export interface SyncOptions {
  /** False: vectors of another embedder stay, and words alone rank. */
  readonly replacesVectors?: boolean | undefined;
  onProgress?(progress: IndexProgress): void;
  /** Counts the items of a source that are read, and those to read in all. */
  onItems?(done: number, total: number): void;
}

export interface SyncCount {
  readonly indexed: number;
  readonly removed: number;
  readonly failures: readonly SourceFailure[];
}

/** Returns sources that cannot be read as failures and keeps their items. Without its embedder, words alone rank. */
export async function syncIndex(
  ports: SyncPorts,
  sources: readonly Listing[],
  signal: AbortSignal,
  options: SyncOptions = {},
): Promise<SyncCount> {
  const failures: SourceFailure[] = [];
  let count = { indexed: 0, removed: 0 };
  for (const source of sources) {
    try {
      const { indexed, removed } = await syncSource(ports, source, signal, options);
      count = { indexed: count.indexed + indexed, removed: count.removed + removed };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      failures.push({ name: source.name, fault: error });
    }
  }
  // Code that changes the index is loaded only when something has changed.
  if (count.indexed + count.removed > 0) await (await import('./index-items.ts')).tidyIndex(ports, signal);
  if (ports.embedder && failures.length < sources.length)
    await embedAll(ports.store, ports.embedder, signal, options);
  return { ...count, failures };
}

/** Counts what a sync would index or remove. Changes nothing. */
export async function changesSince(
  store: IndexStore,
  sources: readonly Listing[],
): Promise<{
  readonly items: number;
  readonly behind: number;
  readonly failures: readonly SourceFailure[];
}> {
  const failures: SourceFailure[] = [];
  let [items, behind] = [0, 0];
  for (const source of sources) {
    try {
      for (const name of source.indexNames ?? [source.name]) items += await store.count(name);
      const revision = await source.revision?.();
      if (revision && revision === (await store.revision(source.name))) continue;
      behind += await (source.pages
        ? changesInPages(store, source.name, source.pages)
        : changesIn(store, source));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      failures.push({ name: source.name, fault: error });
    }
  }
  return { items, behind, failures };
}

async function changesIn(store: IndexStore, source: Listing): Promise<number> {
  const known = await knownItems(store, source);
  const listed = await source.list(known);
  return comparedWith(known, listed).changed.length + missingFrom(listed, known).length;
}

/** Never holds more than a page: `ken doctor` counts a million entries so. */
async function changesInPages(
  store: IndexStore,
  name: string,
  pages: NonNullable<Listing['pages']>,
): Promise<number> {
  const knownAmong = (ids: readonly string[]) => store.itemsAmong(name, ids);
  let [changed, found] = [0, 0];
  for await (const page of pages(knownAmong)) {
    const known = await knownAmong(page.map(({ id }) => id));
    changed += comparedWith(new Map([[name, known]]), page).changed.length;
    found += known.size;
  }
  const removed = (await store.count(name)) - found;
  return changed + Math.max(removed, 0);
}

type SourceCount = Omit<SyncCount, 'failures'>;

async function syncSource(
  ports: SyncPorts,
  source: Listing,
  signal: AbortSignal,
  options: SyncOptions,
): Promise<SourceCount> {
  if (!source.revision) return syncItems(ports, source, signal, options);
  // Read before listing: the next sync sees a change in between.
  const revision = await source.revision();
  const known = (await ports.store.revision(source.name)) ?? '';
  if (revision !== '' && revision === known) return { indexed: 0, removed: 0 };
  const count = await syncItems(ports, source, signal, options);
  if (revision !== known) await ifPossible(ports.store.putRevision(source.name, revision));
  return count;
}

async function syncItems(
  ports: SyncPorts,
  source: Listing,
  signal: AbortSignal,
  options: SyncOptions,
): Promise<SourceCount> {
  const { store } = ports;
  const known = await knownItems(store, source);
  const items = await source.list(known);
  const removed = missingFrom(items, known);
  const { changed, described, restamped } = comparedWith(known, items);
  await putMetas(store, described);
  // Before any stamp, which means that the item and all listed before it are in the index, with their labels.
  const labelled = putLabels(store, items, changed);
  const isChanged = changed.length + removed.length > 0;
  if (isChanged) await labelled;
  const indexed = isChanged ? await indexChanged(ports, { changed, removed, options, signal }) : 0;
  await ifPossible(labelled.then(() => putMetas(store, restamped)));
  return { indexed, removed: removed.length };
}

interface Changes {
  readonly changed: readonly SourceItem[];
  readonly removed: readonly ItemKey[];
  readonly options: SyncOptions;
  readonly signal: AbortSignal;
}

async function indexChanged(
  ports: SyncPorts,
  { changed, removed, options, signal }: Changes,
): Promise<number> {
  const { indexItems } = await import('./index-items.ts');
  const report = {
    onProgress: ({ chunks }: IndexCount) => options.onProgress?.({ phase: 'chunks', done: chunks }),
  };
  const parsed = changed.filter(({ parsedBytes }) => parsedBytes !== undefined);
  let done = 0;
  const total = changed.length + parsed.length;
  const told = async function* (items: AsyncIterable<IndexItem>) {
    for await (const item of items) {
      options.onItems?.(++done, total);
      yield item;
    }
  };
  const count = await indexItems(ports, { ...report, removed, items: told(loaded(changed)), signal });
  await indexItems(ports, { ...report, items: told(loadedAhead(parsed)), signal });
  return count.items;
}

async function knownItems(store: IndexStore, { name, indexNames = [name] }: Listing): Promise<KnownItems> {
  const known = new Map<string, ReadonlyMap<string, KnownItem>>();
  for (const each of indexNames) known.set(each, await store.items(each));
  return known;
}

function missingFrom(items: readonly SourceItem[], known: KnownItems) {
  const listed = Map.groupBy(items, ({ source }) => source);
  return [...known].flatMap(([source, inIndex]) => {
    const ids = new Set(listed.get(source)?.map(({ id }) => id));
    return [...inIndex.keys()].filter((id) => !ids.has(id)).map((id) => ({ source, id }));
  });
}

interface Comparison {
  readonly changed: readonly SourceItem[];
  /** Same content, but another citation. */
  readonly described: readonly SourceItem[];
  /** Same content, but another stamp. */
  readonly restamped: readonly SourceItem[];
}

function comparedWith(known: KnownItems, items: readonly SourceItem[]): Comparison {
  const changed: SourceItem[] = [];
  const described: SourceItem[] = [];
  const restamped: SourceItem[] = [];
  for (const item of items) {
    const before = known.get(item.source)?.get(item.id);
    if (!before || before.hash !== item.hash || before.meta.phase !== item.meta.phase) changed.push(item);
    else if (!saysTheSame(before.meta, item.meta)) described.push(item);
    else if (before.meta.stamp !== item.meta.stamp) restamped.push(item);
  }
  return { changed, described, restamped };
}

function saysTheSame(a: ItemMeta, b: ItemMeta): boolean {
  return a.version === b.version && a.sha256 === b.sha256 && a.url === b.url;
}

async function putMetas(store: IndexStore, items: readonly SourceItem[]): Promise<void> {
  for (const [source, found] of Map.groupBy(items, (item) => item.source))
    await store.putMeta(source, new Map(found.map(({ id, meta }) => [id, meta])));
}

/** Changed items bring theirs along. */
async function putLabels(
  store: IndexStore,
  items: readonly SourceItem[],
  changed: readonly SourceItem[],
): Promise<void> {
  const indexedAnew = new Set(changed);
  const labelled = items.flatMap((item) =>
    item.labels && !indexedAnew.has(item) ? [{ ...item, labels: item.labels }] : [],
  );
  for (const [source, found] of Map.groupBy(labelled, (item) => item.source))
    await store.putLabels(source, new Map(found.map(({ id, labels }) => [id, labels])));
}

/** For writes that only save time at the next sync: an index that cannot be written can still be searched. */
async function ifPossible(written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

async function* loaded(items: readonly SourceItem[]): AsyncGenerator<IndexItem> {
  for (const item of items) {
    const found = await item.load('lines');
    if (!found) continue;
    const isParsedLater = item.parsedBytes !== undefined;
    yield isParsedLater ? { ...found, meta: { ...found.meta, phase: 'lines' } } : found;
  }
}

/** Limits reading and parsing ahead of writing; enough for all threads. */
const FILES_AHEAD = 48;
const BYTES_AHEAD = 2_000_000;

async function* loadedAhead(items: readonly SourceItem[]): AsyncGenerator<IndexItem> {
  const ahead: { readonly item: Promise<IndexItem | undefined>; readonly bytes: number }[] = [];
  let bytesAhead = 0;
  for (const { load, parsedBytes: bytes = 0 } of items) {
    const item = load('symbols');
    // The error is thrown where the item is awaited, and is not unhandled until then.
    item.catch(() => {});
    ahead.push({ item, bytes });
    bytesAhead += bytes;
    while (ahead.length > FILES_AHEAD || bytesAhead > BYTES_AHEAD) {
      const next = ahead.shift();
      if (!next) break;
      bytesAhead -= next.bytes;
      const found = await next.item;
      if (found) yield found;
    }
  }
  for (const { item } of ahead) {
    const found = await item;
    if (found) yield found;
  }
}

async function embedAll(
  store: IndexStore,
  embedder: Embedder,
  signal: AbortSignal,
  { replacesVectors = true, onProgress }: SyncOptions,
): Promise<void> {
  try {
    const { fingerprint } = await embedder.identity();
    const [missing] = await store.unembedded(fingerprint, 1);
    if (!missing || (!replacesVectors && (await hasOtherVectors(store, fingerprint)))) return;
    const report = (done: number) => onProgress?.({ phase: 'embeddings', done });
    const { embedChunks } = await import('./index-items.ts');
    await embedChunks({ store, embedder }, { signal, onProgress: report });
  } catch {
    signal.throwIfAborted();
  }
}

async function hasOtherVectors(store: IndexStore, fingerprint: string): Promise<boolean> {
  const { embedder } = await store.snapshot({ known: NOTHING_KNOWN, terms: [], filter: undefined });
  return embedder !== undefined && embedder.fingerprint !== fingerprint;
}
