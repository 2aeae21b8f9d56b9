/** Port to the index of the reference library, which is derived and can be rebuilt. */

import type { Glob } from '../../../base/glob.ts';
import type { LineRange } from '../../../base/text.ts';

export interface ReferenceIndex {
  /** Reads only files with new content. Keeps work done before an abort. Without an embedder, words alone rank. */
  sync(request: IndexRequest, signal: AbortSignal): Promise<void>;
  chunkCounts(): Promise<ReadonlyMap<string, number>>;
  isCurrent(): Promise<boolean>;
  /** Chunks that answer a question. Searches the index as it is, without syncing first. */
  rankChunks(question: ChunkQuestion): Promise<Ranking<RankedChunk>>;
  /** Topics, ranked by their descriptions and by their best chunks. */
  rankTopics(question: TopicQuestion): Promise<Ranking<RankedTopic>>;
  clear(): Promise<void>;
}

export interface IndexRequest {
  /**
   * Replaces vectors of another embedder. Otherwise they stay and words alone rank: the library is shared, and two
   * workspaces with different embedders would keep overwriting each other's vectors.
   */
  readonly replacesVectors?: boolean;
  onProgress?(progress: IndexProgress): void;
  /** Counts the files that are read, and those to read in all. */
  onItems?(done: number, total: number): void;
}

export interface IndexProgress {
  readonly phase: 'chunks' | 'embeddings';
  readonly done: number;
}

export type FileRole = 'docs' | 'code';

export interface ChunkQuestion {
  readonly text: string;
  readonly limit: number;
  /** Topics to search, by id, with the number that orders near-ties: lower is better. */
  readonly topics: ReadonlyMap<string, number>;
  /** Files or directories. */
  readonly paths?: readonly string[];
  /** Paths that are left out. */
  readonly excluded?: Glob;
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
  readonly outcome: 'answers' | 'nearest' | 'nothing';
  readonly nearest: readonly Result[];
}

export interface RankedChunk {
  readonly topicId: string;
  readonly path: string;
  readonly heading: string;
  readonly text: string;
  readonly snippet: string;
  /** The line that has the most of the question's words. */
  readonly line?: number;
  readonly lines: LineRange;
  /** The commit, or the first digits of the digest. */
  readonly version: string;
  readonly sha256: string;
  readonly url?: string;
  readonly uri: string;
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
