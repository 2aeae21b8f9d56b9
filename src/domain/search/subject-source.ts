/** Subjects of the knowledge base as something to search. */

import type { Hasher } from '../../base/hasher.ts';
import type { Chunker } from '../chunks/chunker.ts';
import { fileKind } from '../chunks/file-kind.ts';
import { isListed, type Subject } from '../knowledge-base/catalog.ts';
import { type OpenTopic, openTopics, type TopicPorts } from '../knowledge-base/open-topics.ts';
import { readSubjectText } from '../knowledge-base/subject-text.ts';
import type { KnowledgeBase } from '../knowledge-base/topic.ts';
import { formatCitation } from './citation.ts';
import { withDigest } from './compared-with.ts';
import { indexChunks } from './file-chunks.ts';
import type { IndexChunk, IndexItem } from './index-item.ts';
import type { ListedSource, SourceItem } from './search-source.ts';
import { textChunks } from './text-chunks.ts';

/** As its items are indexed. */
export const SUBJECTS = 'kb';

export interface SubjectPorts extends TopicPorts {
  readonly hasher: Hasher;
  readonly chunker: Chunker;
}

/** Hidden and disabled subjects are not found: who may not list them may not search them either. */
export function subjectSource(ports: SubjectPorts, knowledge: KnowledgeBase): ListedSource {
  return {
    name: SUBJECTS,
    async list(known) {
      const opened = await openTopics(ports, knowledge);
      return opened.flatMap((open) => itemsOf(ports, open, { known, maxBytes: knowledge.maxSubjectBytes }));
    },
    citationOf(chunk) {
      const { topic, id, path, firstLine, lastLine } = chunk;
      const slug = id.slice(topic.length + 1);
      const lines = { first: firstLine, last: lastLine };
      const uri = formatCitation({ kind: 'subject', topic, slug, lines });
      return withDigest(ports.hasher, { uri, path, lines }, chunk);
    },
    tierOf: () => 'workspace',
  };
}

interface Reading {
  readonly known: ReadonlyMap<string, string>;
  readonly maxBytes: number;
}

function itemsOf(ports: SubjectPorts, open: OpenTopic, reading: Reading): SourceItem[] {
  const wanted = open.catalog.subjects.filter(
    (subject) => isListed(subject) || (subject.state === 'learned' && !subject.hidden),
  );
  return wanted.flatMap((subject) => sourceItem(ports, open, subject, reading) ?? []);
}

/** The hash is of the content, and beside it stands the stamp: a file that still has it is not even read. */
function sourceItem(
  { hasher, chunker }: SubjectPorts,
  open: OpenTopic,
  subject: Subject,
  { known, maxBytes }: Reading,
): SourceItem | undefined {
  const { path } = subject;
  const id = `${open.topic.id}/${subject.slug}`;
  // Taken before the content is read, so that a change in between is seen by the next one.
  const fileStamp = open.files.stamp?.(path);
  const stamp = fileStamp === undefined ? UNKNOWN : `${fileStamp}-${maxBytes}`;
  const read = () => {
    const found = readSubjectText(open.files, path, maxBytes);
    return found.ok ? { text: found.text, content: hasher.sha256(`${path}\0${found.text}`) } : undefined;
  };
  const load = async () => {
    const found = read();
    if (!found) return undefined;
    const { text, content } = found;
    const chunks = await chunksOf(chunker, path, text);
    return { ...itemOf(open, subject, text), hash: `${content} ${stamp}`, chunks };
  };
  const knownHash = known.get(id);
  const [knownContent, knownStamp] = knownHash?.split(' ') ?? [];
  if (knownHash !== undefined && stamp !== UNKNOWN && stamp === knownStamp)
    return { id, hash: knownHash, load };
  const found = read();
  if (!found) return undefined;
  if (knownHash !== undefined && found.content === knownContent && stamp === UNKNOWN)
    return { id, hash: knownHash, load };
  return { id, hash: `${found.content} ${stamp}`, isRehashed: found.content === knownContent, load };
}

const UNKNOWN = '-';

/** Prose in short passages, each under its own heading; what a program reads, along its syntax. */
async function chunksOf(chunker: Chunker, path: string, text: string): Promise<readonly IndexChunk[]> {
  const kind = fileKind(path);
  if (kind === 'markdown' || kind === 'text') return textChunks(text);
  return indexChunks(await chunker.chunk({ path, text }));
}

function itemOf(
  { topic }: OpenTopic,
  { slug, path }: Subject,
  text: string,
): Omit<IndexItem, 'hash' | 'chunks'> {
  const heading = /\.(md|markdown)$/i.test(path) ? /^#\s+(.*)$/m.exec(text)?.[1]?.trim() : undefined;
  return {
    source: SUBJECTS,
    id: `${topic.id}/${slug}`,
    kind: 'subject',
    topic: topic.id,
    path: `${topic.directory}/${path}`,
    title: heading || slug,
    labels: new Map(),
  };
}
