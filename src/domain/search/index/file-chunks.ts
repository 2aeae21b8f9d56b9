import { type Chunk, type Chunker, partUnit } from '../../chunks/chunk.ts';
import { languageOf } from '../../chunks/file-kind.ts';
import { lineChunks, plainChunks } from '../../chunks/plain-chunks.ts';
import type { SourceItem } from '../sources/search-source.ts';
import type { IndexChunk, IndexItem } from './index-item.ts';
import { textChunks } from './text-chunks.ts';

export interface FileToIndex {
  readonly item: Omit<IndexItem, 'chunks'>;
  readonly bytes: number;
  /** Called once for each phase; undefined when the file cannot be read. */
  text(): Promise<string | undefined>;
}

/** A file with a grammar is indexed by lines first, and by symbols once it is parsed. */
export function fileItem(chunker: Chunker, { item, bytes, text }: FileToIndex): SourceItem {
  const { source, id, path, hash, meta } = item;
  const isParsable = languageOf(path) !== undefined;
  return {
    source,
    id,
    hash,
    meta,
    ...(isParsable && { parsedBytes: bytes }),
    async load(phase) {
      const content = await text();
      if (content === undefined) return undefined;
      // A page is cited as a whole, so no chunk holds two.
      if (partUnit(path) !== undefined) return { ...item, chunks: textChunks(content) };
      const file = { path, text: content };
      if (phase === 'symbols') return { ...item, chunks: indexChunks(await chunker.chunk(file)) };
      return { ...item, chunks: indexChunks(isParsable ? lineChunks(content) : plainChunks(file)) };
    },
  };
}

/** Leaves headings without path and title, which are fields of their own. */
export function indexChunks(chunks: readonly Chunk[]): IndexChunk[] {
  return chunks.map(({ heading, text, firstLine, lastLine }) => ({
    heading,
    body: text,
    firstLine,
    lastLine,
  }));
}
