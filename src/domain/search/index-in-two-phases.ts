/**
 * Puts files into an index so that they are found early: first all of them by their lines, which is quick, then
 * those that have a grammar by their symbols, one file after the other.
 */

import type { Chunker } from '../chunks/chunker.ts';
import { languageOf } from '../chunks/file-kind.ts';
import { lineChunks, plainChunks } from '../chunks/plain-chunks.ts';
import { indexChunks } from './file-chunks.ts';
import type { IndexItem } from './index-item.ts';
import { type IndexCount, indexItems } from './index-items.ts';
import type { IndexStore, ItemKey } from './index-store.ts';
import { tidyIndex } from './tidy-index.ts';

export interface TwoPhasePorts {
  readonly store: IndexStore;
  readonly chunker: Chunker;
}

export interface FilesToIndex {
  readonly removed?: readonly ItemKey[];
  readonly files: readonly FileToIndex[];
  /** After each batch. From the first `symbols` on, everything is searchable. */
  onProgress?(phase: IndexPhase, done: IndexCount): void;
  readonly signal?: AbortSignal;
}

export interface FileToIndex {
  /** Its path says what the text is. */
  readonly item: Omit<IndexItem, 'chunks'>;
  /** May be asked twice; `undefined` when it cannot be read after all. */
  text(): Promise<string | undefined>;
}

export type IndexPhase = 'lines' | 'symbols';

/**
 * Answers what is in the index afterwards. When it is interrupted, what was written stays, and the hash of a file
 * that is there by its lines only is not its own: who compares hashes puts it in again.
 */
export async function indexInTwoPhases(ports: TwoPhasePorts, input: FilesToIndex): Promise<IndexCount> {
  const { removed = [], files, signal } = input;
  const parsable = files.filter(isParsable);
  const shared = signal ? { signal } : {};
  const counted = new Map<string, number>();
  const counting = async function* (items: AsyncIterable<IndexItem>) {
    for await (const item of items) {
      counted.set(item.id, item.chunks.length);
      yield item;
    }
  };
  const run = (phase: IndexPhase, gone: readonly ItemKey[], items: AsyncIterable<IndexItem>) =>
    indexItems(ports, {
      removed: gone,
      items: counting(items),
      onProgress: (done) => input.onProgress?.(phase, done),
      ...shared,
    });
  await run('lines', removed, byLines(files));
  await run('symbols', [], bySymbols(ports.chunker, parsable));
  await tidyIndex(ports, signal);
  return { items: counted.size, chunks: [...counted.values()].reduce((sum, count) => sum + count, 0) };
}

/** Never the hash of a whole file. */
const UNPARSED = ' lines';

function isParsable({ item }: FileToIndex): boolean {
  return languageOf(item.path) !== undefined;
}

async function* byLines(files: readonly FileToIndex[]): AsyncGenerator<IndexItem> {
  for (const file of files) {
    const text = await file.text();
    if (text === undefined) continue;
    const { item } = file;
    if (isParsable(file))
      yield { ...item, hash: item.hash + UNPARSED, chunks: indexChunks(lineChunks(text)) };
    else yield { ...item, chunks: indexChunks(plainChunks({ path: item.path, text })) };
  }
}

/** So many texts are in memory at once, and as many threads find something to do. */
const AHEAD = 16;

async function* bySymbols(chunker: Chunker, files: readonly FileToIndex[]): AsyncGenerator<IndexItem> {
  const cut = async ({ item, text }: FileToIndex): Promise<IndexItem | undefined> => {
    const found = await text();
    if (found === undefined) return undefined;
    return { ...item, chunks: indexChunks(await chunker.chunk({ path: item.path, text: found })) };
  };
  const ahead: Promise<IndexItem | undefined>[] = [];
  for (const file of files) {
    const item = cut(file);
    // Who awaits it sees it fail; until then that is nobody's surprise.
    item.catch(() => {});
    ahead.push(item);
    const oldest = ahead.length >= AHEAD ? await ahead.shift() : undefined;
    if (oldest) yield oldest;
  }
  for (const item of ahead) {
    const cutItem = await item;
    if (cutItem) yield cutItem;
  }
}
