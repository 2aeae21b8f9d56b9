/** The index of the library, as this part of ken needs it. It is derived: everything in it stands in the library. */

export interface ReferenceIndex {
  /**
   * Brings it up to what the library has; only files whose content is new to it are read. What it did before it was
   * aborted stays. An embedder that is away is no reason to fail: words rank alone meanwhile.
   */
  sync(request: IndexRequest, signal: AbortSignal): Promise<void>;
  /** How many chunks each topic has, by id. */
  chunkCounts(): Promise<ReadonlyMap<string, number>>;
  /** Whether it agrees with the library. */
  isCurrent(): Promise<boolean>;
  /** The passages that answer a question. The index is searched as it is. */
  rankPassages(question: PassageQuestion): Promise<Ranking<RankedPassage>>;
  /** Topics by what is said about them, and by the best passages in them. */
  rankTopics(question: TopicQuestion): Promise<Ranking<RankedTopic>>;
  /** Forgets everything. */
  clear(): Promise<void>;
}

export interface IndexRequest {
  /**
   * Vectors of another embedder may be replaced. Without it they stay, and words rank alone: the library is shared,
   * and two workspaces with different embedders would take turns at undoing each other's work.
   */
  readonly replacesVectors?: boolean;
  onProgress?(progress: IndexProgress): void;
}

export interface IndexProgress {
  readonly phase: 'chunks' | 'embeddings';
  readonly done: number;
}

/** What a file is: text for people, or anything else. */
export type FileRole = 'docs' | 'code';

export interface PassageQuestion {
  readonly text: string;
  readonly limit: number;
  /** Only these topics, by id, with what orders near-ties: lower is better. */
  readonly topics: ReadonlyMap<string, number>;
  /** Files or directories. */
  readonly paths?: readonly string[];
  readonly kind?: FileRole;
}

export interface TopicQuestion {
  readonly text: string;
  readonly limit: number;
  /** Only these, by id. */
  readonly topics: ReadonlySet<string>;
}

export interface Ranking<Result> {
  /** Best first; empty when nothing is near enough to be an answer. */
  readonly found: readonly Result[];
  readonly hasAbstained: boolean;
  readonly nearest: readonly Result[];
}

export interface RankedPassage {
  readonly topicId: string;
  readonly path: string;
  readonly heading: string;
  readonly text: string;
  /** The lines of it that are about the question. */
  readonly snippet: string;
  readonly lines: { readonly first: number; readonly last: number };
  /** The commit, or the beginning of the digest. */
  readonly version: string;
  readonly sha256: string;
  /** Of a page. */
  readonly url?: string;
  /** `ken://ref/…` */
  readonly uri: string;
  /** From 0 to 1. */
  readonly score: number;
}

export interface RankedTopic {
  readonly topicId: string;
  readonly score: number;
  /** What matched best, of the topic's own text or of its files. */
  readonly snippet: string;
}

const PROSE = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|text|org|html?|tex|rtf|pod|rdoc|textile)$/i;
const PROSE_NAMES =
  /(?:^|\/)(?:readme|license|licence|copying|changelog|changes|contributing|authors|notice|news)$/i;

export function roleOf(path: string): FileRole {
  return PROSE.test(path) || PROSE_NAMES.test(path) ? 'docs' : 'code';
}
