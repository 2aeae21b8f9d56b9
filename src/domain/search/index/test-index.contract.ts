/** Items and readings of an index, for the contract suites and other tests. */

import { Postings } from '../postings/posting-list.ts';
import { BLOCK_SIZE } from './chunk-blocks.ts';
import type { IndexItem } from './index-item.ts';
import type { IndexStore, ItemFilter, Snapshot } from './index-store.ts';

/** An item with one chunk for each body. */
export function newItem(id: string, bodies: readonly string[], given: Partial<IndexItem> = {}): IndexItem {
  return {
    source: 'kb',
    id,
    kind: 'subject',
    topic: 'project',
    path: `docs/${id}.md`,
    title: '',
    hash: `hash of ${bodies.join('|')}`,
    meta: {},
    labels: new Map(),
    chunks: bodies.map((body, at) => ({ heading: '', body, firstLine: at + 1, lastLine: at + 1 })),
    ...given,
  };
}

const FRESH = { generation: '', revision: 0, codesRevision: 0 };
export const META = {
  phase: 'lines',
  stamp: 'a stamp',
  version: '1 2',
  sha256: 'abc',
  url: 'https://a.example/b c',
} as const;
export const EMBEDDER = { fingerprint: 'test-1', dimension: 64 };

export const snapshotFor = (store: IndexStore, terms: readonly string[], filter?: ItemFilter) =>
  store.snapshot({ known: FRESH, terms, filter });

/** The chunks that have a term and are still there. */
export function chunksOf(snapshot: Snapshot, term = 0): number[] {
  const found = new Postings();
  for (const { base, bytes } of snapshot.lists[term] ?? []) found.addEncoded(bytes, base);
  const isPresent = (chunk: number) =>
    snapshot.chunkBlocks.some(
      ({ number, present }) => number === Math.floor(chunk / BLOCK_SIZE) && present[chunk % BLOCK_SIZE] === 1,
    );
  return [...found.chunks.slice(0, found.count)].filter(isPresent);
}

export async function bodiesWith(store: IndexStore, term: string): Promise<string[]> {
  const chunks = await store.chunks(chunksOf(await snapshotFor(store, [term])));
  return chunks.map(({ body }) => body).sort();
}

export async function hashesOf(store: IndexStore, source: string): Promise<Map<string, string>> {
  return new Map([...(await store.items(source))].map(([id, { hash }]) => [id, hash]));
}

export function numbered(before: string, after = ''): string[] {
  return Array.from({ length: 4000 }, (_, at) => `${before}${at}${after}`);
}

export function vectorOf(first: number): Int8Array {
  return Int8Array.from({ length: 64 }, (_, at) => (at === 0 ? first : at % 2 === 0 ? 5 : -5));
}
