/** What an index is made of. */

import type { Labels } from '../../labels/label.ts';
import type { ChunkFields } from '../postings/build-segment.ts';

/** What a hit is: a subject of the knowledge base, a chunk of a reference, an entry of the ledger, a turn. */
export type HitKind = 'subject' | 'chunk' | 'entry' | 'turn';

/** What is added, replaced and removed as a whole: a subject, a file of a reference topic, an entry, a turn. */
export interface IndexItem {
  /** Who put it there and keeps it fresh. */
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

/** What is stored with an item beside its content. It can change without the item being indexed again. */
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

/** What an index knows of an item without reading its chunks. */
export type KnownItem = Pick<IndexItem, 'hash' | 'meta'>;

export interface IndexChunk {
  /** Headings above it, or the symbol it is in. */
  readonly heading: string;
  readonly body: string;
  /** Where the body stands in its file; 0 when there is no file. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A chunk as it comes back, with its item. */
export interface StoredChunk extends IndexChunk, Omit<IndexItem, 'chunks' | 'labels'> {
  /** Of this chunk in the index; a replaced one gets a new number. */
  readonly number: number;
  /** Of this chunk in its item, from 0. */
  readonly ordinal: number;
}

export function fieldsOf({ title, path }: Pick<IndexItem, 'title' | 'path'>, chunk: IndexChunk): ChunkFields {
  return { title, path, heading: chunk.heading, body: chunk.body };
}

/** What is embedded: the breadcrumb first, so that a chunk is near to questions that name its place. */
export function embeddedText(chunk: Pick<StoredChunk, 'title' | 'path' | 'heading' | 'body'>): string {
  const breadcrumb = [chunk.title, chunk.path, chunk.heading].filter((part) => part !== '').join(' › ');
  return breadcrumb === '' ? chunk.body : `${breadcrumb}\n${chunk.body}`;
}
