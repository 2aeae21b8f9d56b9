import { languageNames } from '../../chunks/file-kind.ts';
import type { Labels } from '../../labels/label.ts';
import { isPlain } from '../../words/characters.ts';
import type { ChunkFields } from '../postings/build-segment.ts';

export type HitKind = 'subject' | 'chunk' | 'entry' | 'turn';

/** Added, replaced and removed as a whole: a subject, a file of a reference topic, an entry, a conversation. */
export interface IndexItem {
  readonly source: string;
  /** Unique within its source. */
  readonly id: string;
  readonly kind: HitKind;
  /** Empty without a topic. */
  readonly topic: string;
  readonly path: string;
  readonly title: string;
  /** Digest of everything indexed: an item with the same hash is not indexed again. */
  readonly hash: string;
  readonly meta: ItemMeta;
  readonly labels: Labels;
  readonly chunks: readonly IndexChunk[];
}

/** Data beside the content; changing it does not index the item again. */
export interface ItemMeta {
  /** `lines`: cut by lines; chunks along its syntax follow. */
  readonly phase?: 'lines';
  /** Changes whenever its file does; an item with the same stamp is not read. */
  readonly stamp?: string;
  /** Commit of a file from git, or the first digits of a page's SHA-256. */
  readonly version?: string;
  readonly sha256?: string;
  readonly url?: string;
}

export type KnownItem = Pick<IndexItem, 'hash' | 'meta'>;

export interface IndexChunk {
  /** Headings above it, or the symbol it is in. */
  readonly heading: string;
  readonly body: string;
  /** Lines in its file, from 1; 0 without a file. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The question that it answers: it is found by that too, at half the weight, and is not shown with it. */
  readonly question?: string;
}

export interface StoredChunk extends IndexChunk, Omit<IndexItem, 'chunks' | 'labels'> {
  /** A replaced chunk gets a new number. */
  readonly number: number;
  /** Position in its item, from 0. */
  readonly ordinal: number;
}

export function fieldsOf({ title, path }: Pick<IndexItem, 'title' | 'path'>, chunk: IndexChunk): ChunkFields {
  const { heading, body, question = '' } = chunk;
  return { title, path: withLanguage(path), heading, body, question };
}

/** The name of a language is rare in its own files, and would decide when a question says it. */
function withLanguage(path: string): string {
  const names = languageNames(path);
  return names === '' ? path : `${path} ${names}`;
}

type Embedded = Pick<StoredChunk, 'title' | 'path' | 'heading' | 'body' | 'question'>;

/** The text that is embedded: the words of title, path and heading first, since questions often name them. */
export function embeddedText({ title, path, heading, body, question = '' }: Embedded): string {
  const names = [title, path.replace(/\.[A-Za-z0-9]+$/, ''), heading].map(wordsIn);
  return [...names, question, body].filter((part) => part !== '').join('\n');
}

/** Without numbers and letters that stand alone: an embedder makes noise of `d000123`. */
function wordsIn(name: string): string {
  const runs = name.match(isPlain(name) ? /[A-Za-z]+/g : /\p{L}+/gu) ?? [];
  return runs.filter((run) => run.length > 2 || !isPlain(run)).join(' ');
}
