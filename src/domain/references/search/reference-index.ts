/** Port to the index of the reference library. The index is derived: it can be deleted and made again. */

import type { LineRange } from '../../../base/text.ts';

export interface ReferenceIndex {
  /**
   * Indexes what the library has; reads only files whose content is new. Work done before an abort is kept. When the
   * embedder is unavailable, words rank alone.
   */
  sync(request: IndexRequest, signal: AbortSignal): Promise<void>;
  /** Number of chunks by topic id. */
  chunkCounts(): Promise<ReadonlyMap<string, number>>;
  /** Whether the index matches the library. */
  isCurrent(): Promise<boolean>;
  /** Chunks that answer a question. Searches the index as it is, without syncing first. */
  rankChunks(question: ChunkQuestion): Promise<Ranking<RankedChunk>>;
  /** Topics, ranked by their descriptions and by their best chunks. */
  rankTopics(question: TopicQuestion): Promise<Ranking<RankedTopic>>;
  /** Empties the index. */
  clear(): Promise<void>;
}

export interface IndexRequest {
  /**
   * Allows replacing vectors of another embedder. Otherwise they stay and words rank alone: the library is shared,
   * and two workspaces with different embedders would keep overwriting each other's vectors.
   */
  readonly replacesVectors?: boolean;
  onProgress?(progress: IndexProgress): void;
}

export interface IndexProgress {
  readonly phase: 'chunks' | 'embeddings';
  readonly done: number;
}

/** Kind of a file: prose for people, or anything else. */
export type FileRole = 'docs' | 'code';

export interface ChunkQuestion {
  readonly text: string;
  readonly limit: number;
  /** Topics to search, by id, with the number that orders near-ties: lower is better. */
  readonly topics: ReadonlyMap<string, number>;
  /** Files or directories. */
  readonly paths?: readonly string[];
  readonly kind?: FileRole;
}

export interface TopicQuestion {
  readonly text: string;
  readonly limit: number;
  /** Topics to search, by id. */
  readonly topics: ReadonlySet<string>;
}

export interface Ranking<Result> {
  /** Best first; empty when nothing is relevant enough. */
  readonly found: readonly Result[];
  readonly hasAbstained: boolean;
  readonly nearest: readonly Result[];
}

export interface RankedChunk {
  readonly topicId: string;
  readonly path: string;
  readonly heading: string;
  readonly text: string;
  /** The lines that match the question. */
  readonly snippet: string;
  readonly lines: LineRange;
  /** The commit, or the first digits of the digest. */
  readonly version: string;
  readonly sha256: string;
  /** Address of a web page. */
  readonly url?: string;
  /** `ken://ref/…` */
  readonly uri: string;
  /** From 0 to 1. */
  readonly score: number;
}

export interface RankedTopic {
  readonly topicId: string;
  readonly score: number;
  /** The best matching text, from the description or from a file. */
  readonly snippet: string;
}

const PROSE = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|text|org|html?|tex|rtf|pod|rdoc|textile)$/i;
const PROSE_NAMES =
  /(?:^|\/)(?:readme|license|licence|copying|changelog|changes|contributing|authors|notice|news)$/i;

export function roleOf(path: string): FileRole {
  return PROSE.test(path) || PROSE_NAMES.test(path) ? 'docs' : 'code';
}
