/** Items and chunks of an index. */

import type { Labels } from '../../labels/label.ts';
import type { ChunkFields } from '../postings/build-segment.ts';

/** Kind of a hit: a subject of the knowledge base, a chunk of a reference, an entry of the ledger, a turn. */
export type HitKind = 'subject' | 'chunk' | 'entry' | 'turn';

/** Added, replaced and removed as a whole: a subject, a file of a reference topic, an entry, a conversation. */
export interface IndexItem {
  /** Index name of the source that lists it. */
  readonly source: string;
  /** Unique within its source. */
  readonly id: string;
  readonly kind: HitKind;
  /** Empty when it belongs to none. */
  readonly topic: string;
  readonly path: string;
  readonly title: string;
  /** Digest of all that is indexed of it: an item whose hash is the same is not indexed again. */
  readonly hash: string;
  readonly meta: ItemMeta;
  readonly labels: Labels;
  readonly chunks: readonly IndexChunk[];
}

/** Data stored with an item beside its content. It can change without the item being indexed again. */
export interface ItemMeta {
  /** `lines`: cut by lines only; the chunks along its syntax are still to come. */
  readonly phase?: 'lines';
  /** Changes whenever the file it was read from does; an item that still has it need not be read. */
  readonly stamp?: string;
  /** The commit of a file from git, or the first digits of a page's SHA-256. */
  readonly version?: string;
  /** Digest of the whole file. */
  readonly sha256?: string;
  /** Address a page was read from. */
  readonly url?: string;
}

/** State of an item in the index. */
export type KnownItem = Pick<IndexItem, 'hash' | 'meta'>;

export interface IndexChunk {
  /** Headings above it, or the symbol it is in. */
  readonly heading: string;
  readonly body: string;
  /** Lines of the body in its file, from 1; 0 when there is no file. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A chunk as it comes back, with its item. */
export interface StoredChunk extends IndexChunk, Omit<IndexItem, 'chunks' | 'labels'> {
  /** Number of this chunk in the index; a replaced chunk gets a new number. */
  readonly number: number;
  /** Position of this chunk in its item, from 0. */
  readonly ordinal: number;
}

export function fieldsOf({ title, path }: Pick<IndexItem, 'title' | 'path'>, chunk: IndexChunk): ChunkFields {
  return { title, path, heading: chunk.heading, body: chunk.body };
}

/** The text that is embedded: title, path and heading first, since questions often name them. */
export function embeddedText(chunk: Pick<StoredChunk, 'title' | 'path' | 'heading' | 'body'>): string {
  const breadcrumb = [chunk.title, chunk.path, chunk.heading].filter((part) => part !== '').join(' › ');
  return breadcrumb === '' ? chunk.body : `${breadcrumb}\n${chunk.body}`;
}
