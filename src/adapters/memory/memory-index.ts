import { matchesSelector } from '../../domain/labels/selector.ts';
import {
  BLOCK_SIZE,
  type ChunkBlock,
  type CodeBlock,
  codeBytesFor,
  emptyChunkBlock,
  emptyCodeBlock,
  NOTHING_TO_EMBED,
  WITH_CODE,
} from '../../domain/search/chunk-blocks.ts';
import type { IndexItem, ItemMeta, KnownItem, StoredChunk } from '../../domain/search/index-item.ts';
import type {
  EmbedderKey,
  EncodedList,
  Group,
  ItemFilter,
  ItemKey,
  MergedSegment,
  SegmentSummary,
} from '../../domain/search/index-store.ts';
import type { Segment } from '../../domain/search/postings/build-segment.ts';
import { findInBlock, type TermBlock } from '../../domain/search/postings/term-blocks.ts';
import { compareKeys, termKey } from '../../domain/search/postings/term-key.ts';
import { codeOf } from '../../domain/search/vectors/quantise.ts';

interface KeptItem {
  readonly item: IndexItem;
  readonly first: number;
}

interface KeptSegment extends SegmentSummary {
  readonly blocks: readonly TermBlock[];
}

interface Changed<Block> {
  readonly revision: number;
  readonly block: Block;
}

/** Blocks as they are at this moment: the ones that are kept go on changing. */
export function changedSince<Block>(blocks: ReadonlyMap<number, Changed<Block>>, revision: number): Block[] {
  return [...blocks.values()]
    .filter((each) => each.revision > revision)
    .map(({ block }) => structuredClone(block));
}

export class MemoryIndex {
  readonly generation: string;
  revision = 0;
  embedder: EmbedderKey | undefined;
  readonly groups: Group[] = [];
  readonly revisions = new Map<string, string>();
  readonly chunks = new Map<number, StoredChunk>();
  readonly vectors = new Map<number, Int8Array>();
  readonly chunkBlocks = new Map<number, Changed<ChunkBlock>>();
  readonly codeBlocks = new Map<number, Changed<CodeBlock>>();
  segments: KeptSegment[] = [];
  readonly #items = new Map<string, KeptItem>();
  #nextChunk = 0;
  #nextSegment = 1;

  constructor(generation: number) {
    this.generation = String(generation);
  }

  items(source: string): Map<string, KnownItem> {
    const items = [...this.#items.values()].filter(({ item }) => item.source === source);
    return new Map(items.map(({ item: { id, hash, meta } }) => [id, { hash, meta }]));
  }

  putMeta(source: string, metas: ReadonlyMap<string, ItemMeta>): void {
    for (const [id, meta] of metas) {
      const kept = this.#items.get(keyOf({ source, id }));
      if (!kept) continue;
      this.#items.set(keyOf({ source, id }), { ...kept, item: { ...kept.item, meta } });
      for (let at = kept.first; at < kept.first + kept.item.chunks.length; at++) {
        const chunk = this.chunks.get(at);
        if (chunk) this.chunks.set(at, { ...chunk, meta });
      }
    }
  }

  remove(key: ItemKey): void {
    const kept = this.#items.get(keyOf(key));
    if (!kept) return;
    this.#items.delete(keyOf(key));
    const { first, item } = kept;
    for (let chunk = first; chunk < first + item.chunks.length; chunk++) {
      this.chunks.delete(chunk);
      this.vectors.delete(chunk);
      this.#chunkBlock(chunk).present[chunk % BLOCK_SIZE] = 0;
      if (this.embedder) this.#codeBlock(chunk, this.embedder).present[chunk % BLOCK_SIZE] = 0;
    }
    this.segments = this.segments.map((segment) =>
      segment.base <= first && first < segment.base + segment.span
        ? { ...segment, removed: segment.removed + item.chunks.length }
        : segment,
    );
  }

  add(items: readonly IndexItem[], { blocks, lengths }: Segment): void {
    const base = this.#nextChunk;
    for (const item of items) {
      this.#items.set(keyOf(item), { item, first: this.#nextChunk });
      const { chunks, labels: _, ...shared } = item;
      const group = this.#groupOf(item);
      for (const [ordinal, chunk] of chunks.entries()) {
        const number = this.#nextChunk++;
        this.chunks.set(number, { ...shared, ...chunk, number, ordinal });
        const block = this.#chunkBlock(number);
        block.present[number % BLOCK_SIZE] = 1;
        block.lengths[number % BLOCK_SIZE] = lengths[number - base] ?? 0;
        block.groups[number % BLOCK_SIZE] = group;
      }
    }
    if (this.#nextChunk > base) this.#addSegment({ base, span: this.#nextChunk - base, blocks }, 0);
  }

  listsOf(term: string): EncodedList[] {
    const key = termKey(term);
    return this.segments.flatMap(({ base, blocks }) => {
      const block = blocks.findLast(({ first }) => compareKeys(first, key) <= 0);
      const bytes = block && findInBlock(block.content, key);
      return bytes ? [{ base, bytes }] : [];
    });
  }

  blocksWith(prefix: string, limit: number): TermBlock[] {
    const start = termKey(prefix);
    const end = Uint8Array.of(...start, 0xff);
    return this.segments.flatMap(({ blocks }) => {
      const from = Math.max(
        0,
        blocks.findLastIndex(({ first }) => compareKeys(first, start) <= 0),
      );
      return blocks.slice(from, from + limit).filter(({ first }) => compareKeys(first, end) < 0);
    });
  }

  chosen(filter: ItemFilter): Int32Array {
    const items = [...this.#items.values()].filter(({ item }) => passes(item, filter));
    return Int32Array.from(items.flatMap(({ first, item }) => [first, item.chunks.length]));
  }

  replace(replaced: readonly SegmentSummary[], merged: MergedSegment): boolean {
    const current = replaced.map(({ id }) => this.segments.find((segment) => segment.id === id));
    if (current.includes(undefined)) return false;
    const before = replaced.reduce((sum, { removed }) => sum + removed, 0);
    const now = current.reduce((sum, segment) => sum + (segment?.removed ?? 0), 0);
    this.segments = this.segments.filter((segment) => !current.includes(segment));
    if (merged.blocks.length > 0) this.#addSegment(merged, now - before);
    return true;
  }

  unembedded(embedder: string, limit: number): StoredChunk[] {
    const isSame = this.embedder?.fingerprint === embedder;
    const isDone = (number: number) =>
      isSame && this.codeBlocks.get(Math.floor(number / BLOCK_SIZE))?.block.present[number % BLOCK_SIZE];
    return [...this.chunks.values()]
      .filter(({ number }) => !isDone(number))
      .sort((a, b) => b.number - a.number)
      .slice(0, limit);
  }

  putVectors(embedder: EmbedderKey, vectors: ReadonlyMap<number, Int8Array | undefined>): void {
    if (this.embedder?.fingerprint !== embedder.fingerprint) {
      this.vectors.clear();
      this.codeBlocks.clear();
    }
    this.embedder = embedder;
    for (const [chunk, vector] of vectors) {
      if (!this.chunks.has(chunk)) continue;
      const block = this.#codeBlock(chunk, embedder);
      block.present[chunk % BLOCK_SIZE] = vector ? WITH_CODE : NOTHING_TO_EMBED;
      if (!vector) continue;
      this.vectors.set(chunk, vector);
      const code = codeOf(vector);
      block.codes.set(code, (chunk % BLOCK_SIZE) * code.length);
    }
  }

  #addSegment(segment: MergedSegment, removed: number): void {
    const bytes = segment.blocks.reduce((sum, { content }) => sum + content.length, 0);
    this.segments.push({ ...segment, id: this.#nextSegment++, bytes, removed });
    this.segments.sort((a, b) => a.base - b.base);
  }

  #groupOf({ source, kind, topic }: IndexItem): number {
    const known = this.groups.find(
      (group) => group.source === source && group.kind === kind && group.topic === topic,
    );
    if (known) return known.number;
    const number = this.groups.length + 1;
    this.groups.push({ number, source, kind, topic });
    return number;
  }

  #chunkBlock(chunk: number): ChunkBlock {
    const number = Math.floor(chunk / BLOCK_SIZE);
    const block = this.chunkBlocks.get(number)?.block ?? emptyChunkBlock(number);
    this.chunkBlocks.set(number, { revision: this.revision, block });
    return block;
  }

  #codeBlock(chunk: number, { dimension }: EmbedderKey): CodeBlock {
    const number = Math.floor(chunk / BLOCK_SIZE);
    const block = this.codeBlocks.get(number)?.block ?? emptyCodeBlock(number, codeBytesFor(dimension));
    this.codeBlocks.set(number, { revision: this.revision, block });
    return block;
  }
}

function keyOf({ source, id }: ItemKey): string {
  return JSON.stringify([source, id]);
}

function passes(item: IndexItem, { paths, labels, ids }: ItemFilter): boolean {
  if (labels && !matchesSelector(item.labels, labels)) return false;
  if (ids && !ids.some((key) => keyOf(key) === keyOf(item))) return false;
  return (
    !paths || paths.some((path) => (path.endsWith('/') ? item.path.startsWith(path) : item.path === path))
  );
}
