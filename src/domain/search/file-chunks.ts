import type { Chunk } from '../chunks/chunk.ts';
import type { IndexChunk } from './index-item.ts';

/** Chunks of a file as they are indexed. Where they stand is no part of the body: it has fields of its own. */
export function indexChunks(chunks: readonly Chunk[]): IndexChunk[] {
  return chunks.map(({ heading, text, firstLine, lastLine }) => ({
    heading,
    body: text,
    firstLine,
    lastLine,
  }));
}
