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
  const chunkCounts = new Map<string, number>();
  const count = ({ source, id, chunks }: IndexItem) => chunkCounts.set(`${source}\0${id}`, chunks.length);
  await indexByLines(ports, input, count);
  const items = bySymbols(ports.chunker, input.files.filter(isParsable));
  await indexItems(ports, { ...sharedBy('symbols', input), items: each(items, count) });
  await tidyIndex(ports, input.signal);
  return { items: chunkCounts.size, chunks: [...chunkCounts.values()].reduce((sum, n) => sum + n, 0) };
}

/** The first phase alone. */
export async function indexByLines(
  ports: Pick<TwoPhasePorts, 'store'>,
  input: FilesToIndex,
  onItem: (item: IndexItem) => void = () => {},
): Promise<void> {
  const items = each(byLines(input.files), onItem);
  await indexItems(ports, { ...sharedBy('lines', input), removed: input.removed ?? [], items });
}

function sharedBy(phase: IndexPhase, { onProgress, signal }: FilesToIndex) {
  return {
    onProgress: (done: IndexCount) => onProgress?.(phase, done),
    ...(signal && { signal }),
  };
}

async function* each<T>(values: AsyncIterable<T>, see: (value: T) => void): AsyncGenerator<T> {
  for await (const value of values) {
    see(value);
    yield value;
  }
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

/** How far reading and parsing run ahead of writing, in files and in characters: enough for all threads. */
const FILES_AHEAD = 48;
const CHARACTERS_AHEAD = 2_000_000;

async function* bySymbols(chunker: Chunker, files: readonly FileToIndex[]): AsyncGenerator<IndexItem> {
  const ahead: { readonly item: Promise<IndexItem>; readonly characters: number }[] = [];
  let characters = 0;
  const next = async () => {
    const { item, characters: own } = ahead.shift() ?? { item: undefined, characters: 0 };
    characters -= own;
    return item;
  };
  for (const { item, text } of files) {
    const found = await text();
    if (found === undefined) continue;
    const cut = itemFrom(chunker, item, found);
    // Who takes it sees it fail; until then that is nobody's surprise.
    cut.catch(() => {});
    ahead.push({ item: cut, characters: found.length });
    characters += found.length;
    while (ahead.length > FILES_AHEAD || characters > CHARACTERS_AHEAD) {
      const done = await next();
      if (!done) break;
      yield done;
    }
  }
  for (let done = await next(); done; done = await next()) yield done;
}

async function itemFrom(chunker: Chunker, item: FileToIndex['item'], text: string): Promise<IndexItem> {
  return { ...item, chunks: indexChunks(await chunker.chunk({ path: item.path, text })) };
}
