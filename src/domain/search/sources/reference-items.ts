import type { Hasher } from '../../../base/hasher.ts';
import { canonicalJson } from '../../../base/json.ts';
import type { Chunker } from '../../chunks/chunk.ts';
import type { DocumentReader } from '../../chunks/document-text.ts';
import { type FileRole, roleOf } from '../../references/search/reference-index.ts';
import { fileText } from '../../references/topic/file-text.ts';
import { type GoodTopic, isGood, type ReferenceLibrary } from '../../references/topic/library.ts';
import { type LockedFile, versionOf } from '../../references/topic/lock.ts';
import { type ReferenceTopic, topicId } from '../../references/topic/topic.ts';
import { fileItem } from '../index/file-chunks.ts';
import type { IndexChunk, IndexItem } from '../index/index-item.ts';
import { textChunks } from '../index/text-chunks.ts';
import type { KnownItems, Listing, SourceItem } from './search-source.ts';

export const REFERENCES = 'refs';
/** One item for each topic: its title, description and tags. */
export const TOPICS = 'refs:topics';
/** Files by role, so that a search can be limited to one role. */
export const FILES: Readonly<Record<FileRole, string>> = { docs: 'refs:docs', code: 'refs:code' };

export interface ListingPorts {
  readonly library: ReferenceLibrary;
  readonly hasher: Hasher;
  readonly chunker: Chunker;
  readonly documents: DocumentReader;
}

/** Does not even list the files of a topic that has not changed since it was indexed. */
export function referenceListing(ports: ListingPorts): Listing {
  const topics = async () => (await ports.library.list()).filter(isGood);
  return {
    name: REFERENCES,
    indexNames: [...Object.values(FILES), TOPICS],
    async revision() {
      const found = await topics();
      if (found.length === 0) return '';
      return ports.hasher.sha256(
        canonicalJson(found.map((each) => [each.slug, topicText(each), each.stamp])),
      );
    },
    async list(known) {
      const found = await topics();
      const knownFiles = filesByTopic(known);
      const files = await Promise.all(
        found.map(async (topic) => {
          const inIndex = knownFiles.get(topicId(topic)) ?? [];
          if (isIndexed(ports, topic, known, inIndex)) return inIndex;
          const { files: locked } = await ports.library.lock(topic.slug);
          return locked.map((file) => fileOf(ports, topic.topic, file));
        }),
      );
      // Topics come last: a topic is in the index once all its files are.
      return [...files.flat(), ...found.map((topic) => topicOf(ports, topic))];
    },
  };
}

function filesByTopic(known: KnownItems): ReadonlyMap<string, readonly SourceItem[]> {
  const files = Object.values(FILES).flatMap((source) =>
    [...(known.get(source) ?? [])].map(
      ([id, item]): SourceItem => ({ source, id, ...item, load: async () => undefined }),
    ),
  );
  return Map.groupBy(files, ({ id }) => id.slice(0, id.indexOf('/')));
}

function isIndexed(
  ports: ListingPorts,
  topic: GoodTopic,
  known: KnownItems,
  files: readonly SourceItem[],
): boolean {
  const before = known.get(TOPICS)?.get(topicId(topic));
  const isSame = before?.meta.stamp === topic.stamp && before.hash === topicHash(ports, topic);
  return isSame && files.every(({ meta }) => meta.phase === undefined);
}

function topicText({ topic: { title, body, tags, labels } }: GoodTopic) {
  return [title, body, tags, [...labels]];
}

function topicHash({ hasher }: Pick<ListingPorts, 'hasher'>, topic: GoodTopic): string {
  return hasher.sha256(canonicalJson(topicText(topic)));
}

function topicOf(ports: ListingPorts, topic: GoodTopic): SourceItem {
  const key = { source: TOPICS, id: topicId(topic) };
  const known = { hash: topicHash(ports, topic), meta: { stamp: topic.stamp } };
  return { ...key, ...known, load: async () => ({ ...topicItem(topic.topic), ...key, ...known }) };
}

function topicItem(topic: ReferenceTopic): Omit<IndexItem, 'source' | 'id' | 'hash' | 'meta'> {
  const { title, body, tags, labels } = topic;
  const [first, ...rest] = textChunks(body);
  const words = [tags.join(', '), first?.body ?? ''].filter((part) => part !== '').join('\n');
  const opening: IndexChunk = {
    heading: first?.heading ?? '',
    body: words || title,
    firstLine: 0,
    lastLine: 0,
  };
  return { kind: 'chunk', topic: topicId(topic), path: '', title, labels, chunks: [opening, ...rest] };
}

/** The text is undefined when the file is gone or differs from the lock; only a refresh of the topic repairs that. */
function fileOf(
  { library, hasher, chunker, documents }: ListingPorts,
  topic: ReferenceTopic,
  file: LockedFile,
): SourceItem {
  const { path, bytes, sha256, url } = file;
  const { title, labels } = topic;
  return fileItem(chunker, {
    item: {
      source: FILES[roleOf(path)],
      id: `${topicId(topic)}/${path}`,
      kind: 'chunk',
      topic: topicId(topic),
      path,
      title,
      // Title and labels of the topic are indexed with each of its files.
      hash: hasher.sha256(canonicalJson([sha256, title, [...labels]])),
      meta: { version: versionOf(file), sha256, ...(url !== undefined && { url }) },
      labels,
    },
    bytes,
    async text() {
      const content = await library.readFile(topic.slug, path);
      if (!content || hasher.sha256(content) !== sha256) return undefined;
      const read = await fileText({ documents }, path, content);
      return read.ok ? read.text : undefined;
    },
  });
}
