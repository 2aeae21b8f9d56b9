import type { Hasher } from '../../../base/hasher.ts';
import { type Chunker, partsOf } from '../../chunks/chunk.ts';
import { fileKind } from '../../chunks/file-kind.ts';
import { isListed, type Subject } from '../../knowledge-base/catalog.ts';
import { type OpenTopic, openTopics, type TopicPorts } from '../../knowledge-base/open-topics.ts';
import { readSubjectText } from '../../knowledge-base/subject-text.ts';
import { fileOf, type KnowledgeBase } from '../../knowledge-base/topic.ts';
import { formatCitation } from '../citations/citation.ts';
import { withDigest } from '../citations/compared-with.ts';
import type { IndexChunk, IndexItem, KnownItem } from '../index/index-item.ts';
import type { KnownAmong, ListedSource, SourceItem } from './search-source.ts';

export const SUBJECTS = 'kb';

export interface SubjectPorts extends TopicPorts {
  readonly hasher: Hasher;
  readonly chunker: Chunker;
}

/** Leaves out hidden and disabled subjects, which an assistant may not list either. */
export function subjectSource(ports: SubjectPorts, knowledge: KnowledgeBase): ListedSource {
  return {
    name: SUBJECTS,
    async list(known) {
      const items: SourceItem[] = [];
      const inIndex = known.get(SUBJECTS) ?? new Map();
      for await (const page of pagesOfSubjects(ports, knowledge, async () => inIndex)) items.push(...page);
      return items;
    },
    pages: (known) => pagesOfSubjects(ports, knowledge, known),
    describe: async (chunks) =>
      chunks.map((chunk) => {
        const { topic, id, path, firstLine, lastLine } = chunk;
        const slug = id.slice(topic.length + 1);
        const lines = { first: firstLine, last: lastLine };
        const parts = partsOf(path, chunk);
        const uri = formatCitation({ kind: 'subject', topic, slug, ...(parts ? { parts } : { lines }) });
        return {
          citation: withDigest(ports.hasher, { uri, path, lines }, chunk),
          freshness: { status: 'current' },
          trust: { tier: 'workspace' },
        };
      }),
  };
}

interface Reading {
  readonly known: ReadonlyMap<string, KnownItem>;
  readonly maxBytes: number;
}

/** Few, so that what is made for a page is gone before the heap for old objects takes it. */
const PAGE = 100;

async function* pagesOfSubjects(
  ports: SubjectPorts,
  knowledge: KnowledgeBase,
  knownAmong: KnownAmong,
): AsyncGenerator<readonly SourceItem[]> {
  const { maxSubjectBytes: maxBytes } = knowledge;
  for (const open of await openTopics(ports, knowledge)) {
    const { subjects } = open.catalog;
    for (let at = 0; at < subjects.length; at += PAGE) {
      const page = subjects.slice(at, at + PAGE).filter(isIndexed);
      const known = await knownAmong(page.map((subject) => idOf(open, subject)));
      yield page.flatMap((subject) => sourceItem(ports, open, subject, { known, maxBytes }) ?? []);
    }
  }
}

function isIndexed(subject: Subject): boolean {
  return isListed(subject) || (subject.state === 'learned' && !subject.hidden);
}

function idOf({ topic }: OpenTopic, { slug }: Subject): string {
  return `${topic.id}/${slug}`;
}

/** Does not read a file that still has the stamp it was indexed with. */
function sourceItem(
  { hasher, chunker }: SubjectPorts,
  open: OpenTopic,
  subject: Subject,
  { known, maxBytes }: Reading,
): SourceItem | undefined {
  const { path } = subject;
  const key = { source: SUBJECTS, id: idOf(open, subject) };
  // Taken before the content is read: the next sync sees a change in between.
  const fileStamp = open.files.stamp?.(path);
  const meta = fileStamp === undefined ? {} : { stamp: `${fileStamp}-${maxBytes}` };
  const read = () => {
    const found = readSubjectText(open.files, path, maxBytes);
    return found.ok ? { text: found.text, hash: hasher.sha256(`${path}\0${found.text}`) } : undefined;
  };
  const load = async () => {
    const found = read();
    if (!found) return undefined;
    const { text, hash } = found;
    const item = await itemOf(open, subject, text);
    return { ...item, hash, meta, chunks: await chunksOf(chunker, path, text) };
  };
  const before = known.get(key.id);
  if (before && meta.stamp !== undefined && meta.stamp === before.meta.stamp)
    return { ...key, ...before, load };
  const hash = read()?.hash;
  return hash === undefined ? undefined : { ...key, hash, meta, load };
}

/** Cuts prose by headings into short chunks; code and data along their syntax. */
async function chunksOf(chunker: Chunker, path: string, text: string): Promise<readonly IndexChunk[]> {
  const kind = fileKind(path);
  if (kind === 'markdown' || kind === 'text')
    return (await import('../index/text-chunks.ts')).textChunks(text);
  const { indexChunks } = await import('../index/file-chunks.ts');
  return indexChunks(await chunker.chunk({ path, text }));
}

async function itemOf(
  { topic }: OpenTopic,
  { slug, path }: Subject,
  text: string,
): Promise<Omit<IndexItem, 'hash' | 'meta' | 'chunks'>> {
  const { titleIn } = await import('../../knowledge-base/front-matter.ts');
  const heading = /\.(md|markdown|pdf|docx|epub|ipynb)$/i.test(path) ? titleIn(text) : undefined;
  return {
    source: SUBJECTS,
    id: `${topic.id}/${slug}`,
    kind: 'subject',
    topic: topic.id,
    path: fileOf(topic, path),
    title: heading || slug,
    labels: new Map(),
  };
}
