/** Brings an index up to what its sources have now. */

import { Fault } from '../../base/fault.ts';
import { embedChunks } from './embed-chunks.ts';
import type { Embedder } from './embedder.ts';
import { type IndexItem, REVISIONS } from './index-item.ts';
import { indexItems } from './index-items.ts';
import type { IndexStore } from './index-store.ts';
import type { ListedSource, SourceFailure, SourceItem } from './search-source.ts';
import { tidyIndex } from './tidy-index.ts';

export interface SyncPorts {
  readonly store: IndexStore;
  readonly embedder: Embedder | undefined;
}

type SyncedSource = Pick<ListedSource, 'name' | 'list' | 'revision'>;

export interface SyncCount {
  readonly indexed: number;
  readonly removed: number;
  readonly failures: readonly SourceFailure[];
}

/**
 * A source that cannot be read is no reason to fail, and what is indexed of it stays as it is. Nor is an embedder that
 * is away: words rank alone meanwhile.
 */
export async function syncIndex(
  ports: SyncPorts,
  sources: readonly SyncedSource[],
  signal: AbortSignal,
): Promise<SyncCount> {
  const failures: SourceFailure[] = [];
  let count = { indexed: 0, removed: 0 };
  for (const source of sources) {
    try {
      const { indexed, removed } = await syncSource(ports, source, signal);
      count = { indexed: count.indexed + indexed, removed: count.removed + removed };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      failures.push({ name: source.name, fault: error });
    }
  }
  if (count.indexed + count.removed > 0) await tidyIndex(ports, signal);
  const isUsable = failures.length < sources.length;
  if (ports.embedder && isUsable) await embedAll(ports.store, ports.embedder, signal);
  return { ...count, failures };
}

async function syncSource(
  ports: SyncPorts,
  source: SyncedSource,
  signal: AbortSignal,
): Promise<Omit<SyncCount, 'failures'>> {
  // Asked for before anything is listed: what changes meanwhile is seen by the next one.
  const revision = (await source.revision?.()) ?? '';
  if (revision !== '' && (await ports.store.hashes(REVISIONS)).get(source.name) === revision)
    return { indexed: 0, removed: 0 };
  const count = await syncItems(ports, source, signal);
  if (revision !== '')
    await ifPossible(indexItems(ports, { items: [revisionItem(source, revision)], signal }));
  return count;
}

async function syncItems(
  ports: SyncPorts,
  { name, list }: SyncedSource,
  signal: AbortSignal,
): Promise<Omit<SyncCount, 'failures'>> {
  const known = await ports.store.hashes(name);
  const items = await list(known);
  const ids = new Set(items.map(({ id }) => id));
  const removed = [...known.keys()].filter((id) => !ids.has(id)).map((id) => ({ source: name, id }));
  const others = items.filter(({ id, hash }) => known.get(id) !== hash);
  const rehashed = others.filter(({ isRehashed }) => isRehashed);
  const changed = others.filter(({ isRehashed }) => !isRehashed);
  if (rehashed.length > 0)
    await ifPossible(ports.store.rehash(name, new Map(rehashed.map(({ id, hash }) => [id, hash]))));
  if (removed.length === 0 && changed.length === 0) return { indexed: 0, removed: 0 };
  const { items: indexed } = await indexItems(ports, { removed, items: loaded(changed), signal });
  return { indexed, removed: removed.length };
}

/** For what only spares the next one some time: an index that cannot be written may well be searched. */
async function ifPossible(written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

function revisionItem({ name }: SyncedSource, revision: string): IndexItem {
  const nothing = { topic: '', path: '', title: '', labels: new Map(), chunks: [] };
  return { ...nothing, source: REVISIONS, id: name, kind: 'entry', hash: revision };
}

async function* loaded(items: readonly SourceItem[]): AsyncGenerator<IndexItem> {
  for (const item of items) {
    const found = await item.load();
    if (found) yield found;
  }
}

async function embedAll(store: IndexStore, embedder: Embedder, signal: AbortSignal): Promise<void> {
  try {
    await embedChunks({ store, embedder }, { signal });
  } catch {
    signal.throwIfAborted();
  }
}
