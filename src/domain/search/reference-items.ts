/** Reference topics and their files as items of an index. */

import { canonicalJson } from '../../base/canonical-json.ts';
import type { Hasher } from '../../base/hasher.ts';
import { type FileRole, roleOf } from '../references/search/reference-index.ts';
import type { GoodTopic, ReferenceLibrary } from '../references/topic/library.ts';
import { type LockedFile, versionOf } from '../references/topic/lock.ts';
import { type ReferenceTopic, topicId } from '../references/topic/topic.ts';
import type { FileToIndex } from './index-in-two-phases.ts';
import type { IndexChunk, IndexItem, StoredChunk } from './index-item.ts';
import { textChunks } from './text-chunks.ts';

/** What is said about each topic, one item a topic. It is written when all files of the topic are. */
export const TOPICS = 'refs:topics';
/** The files, by what they are, so that a question can be put to one kind alone. */
export const FILES: Readonly<Record<FileRole, string>> = { docs: 'refs:docs', code: 'refs:code' };

export interface ItemPorts {
  readonly library: ReferenceLibrary;
  readonly hasher: Hasher;
}

/** The same as at the last look: neither the topic's own text nor its files have changed. */
export function topicHash({ hasher }: Pick<ItemPorts, 'hasher'>, { topic, stamp }: GoodTopic): string {
  const { title, body, tags, labels } = topic;
  return hasher.sha256(canonicalJson([title, body, tags, [...labels], stamp]));
}

export function topicItem(topic: ReferenceTopic, hash: string): IndexItem {
  const { title, body, tags, labels } = topic;
  const [first, ...rest] = textChunks(body);
  const words = [tags.join(', '), first?.body ?? ''].filter((part) => part !== '').join('\n');
  const opening: IndexChunk = {
    heading: first?.heading ?? '',
    body: words || title,
    firstLine: 0,
    lastLine: 0,
  };
  return {
    source: TOPICS,
    id: topicId(topic),
    kind: 'chunk',
    topic: topicId(topic),
    path: '',
    title,
    hash,
    labels,
    chunks: [opening, ...rest],
  };
}

export function sourceOf({ path }: Pick<LockedFile, 'path'>): string {
  return FILES[roleOf(path)];
}

export function fileId(topic: ReferenceTopic, { path }: Pick<LockedFile, 'path'>): string {
  return `${topicId(topic)}/${path}`;
}

/** Begins with what a citation needs, since a chunk that is found comes back with it. */
export function fileHash(
  { hasher }: Pick<ItemPorts, 'hasher'>,
  topic: ReferenceTopic,
  file: LockedFile,
): string {
  const about = hasher.sha256(canonicalJson([topic.title, [...topic.labels]])).slice(0, 16);
  const url = file.url === undefined ? '' : ` ${file.url.replaceAll(' ', '%20')}`;
  return `${versionOf(file)} ${file.sha256} ${about}${url}`;
}

/** `url` is where a page was read. */
export function versionIn({ hash }: Pick<StoredChunk, 'hash'>): {
  version: string;
  sha256: string;
  url?: string;
} {
  const [version = '', sha256 = '', _about, url] = hash.split(' ');
  return { version, sha256, ...(url !== undefined && { url }) };
}

/** Its text is undefined when it is gone, or is not what the lock says: then only looking after the topic helps. */
export function fileToIndex(ports: ItemPorts, topic: ReferenceTopic, file: LockedFile): FileToIndex {
  return {
    item: {
      source: sourceOf(file),
      id: fileId(topic, file),
      kind: 'chunk',
      topic: topicId(topic),
      path: file.path,
      title: topic.title,
      hash: fileHash(ports, topic, file),
      labels: topic.labels,
    },
    async text() {
      const content = await ports.library.readFile(topic.slug, file.path);
      if (!content || ports.hasher.sha256(content) !== file.sha256) return undefined;
      return new TextDecoder().decode(content);
    },
  };
}
