import { Fault } from '../../../base/fault.ts';
import type { LineRange } from '../../../base/text.ts';
import { openTopic } from '../../knowledge-base/open-topics.ts';
import { findTopic, type KnowledgeBase } from '../../knowledge-base/topic.ts';
import type { CitedPlace, CitedPlaces } from '../../ledger/evidence/evidence.ts';
import { fileText } from '../../references/topic/file-text.ts';
import { versionOf } from '../../references/topic/lock.ts';
import { slugOfId } from '../../references/topic/topic.ts';
import { type Citation, formatCitation } from './citation.ts';
import { type CitationPorts, showCitation } from './show-citation.ts';

/** Undefined for versions of entries and turns, which never move or change. */
export async function citedPlaces(
  ports: CitationPorts,
  knowledge: KnowledgeBase,
  citation: Citation,
): Promise<CitedPlaces | undefined> {
  const { lines } = citation;
  if (citation.kind === 'reference') return { lines, places: await filesOf(ports, citation) };
  if (citation.kind === 'subject') return { lines, places: await subjectsOf(ports, knowledge, citation) };
  return undefined;
}

async function filesOf(
  { library, documents }: CitationPorts,
  { topicId, path }: Extract<Citation, { kind: 'reference' }>,
): Promise<CitedPlace[]> {
  const slug = slugOfId(topicId) ?? '';
  const { files } = await library.lock(slug);
  const own = files.filter((file) => file.path === path);
  return (own.length > 0 ? own : files).map((file) => ({
    async read() {
      const content = await library.readFile(slug, file.path);
      const read = content && (await fileText({ documents }, file.path, content));
      return read?.ok ? read.text : undefined;
    },
    at: (lines) =>
      formatCitation({
        kind: 'reference',
        topicId,
        version: versionOf(file),
        path: file.path,
        ...range(lines),
      }),
  }));
}

async function subjectsOf(
  ports: CitationPorts,
  knowledge: KnowledgeBase,
  { topic: id, slug }: Extract<Citation, { kind: 'subject' }>,
): Promise<CitedPlace[]> {
  const topic = findTopic(knowledge.topics, id);
  if (!topic) return [];
  const { all, bySlug } = (await openTopic(ports, topic)).catalog.reachable;
  return (bySlug.has(slug) ? [slug] : all.map((subject) => subject.slug)).map((each) => {
    const place = { kind: 'subject', topic: id, slug: each } as const;
    return {
      read: async () => (await unlessGone(showCitation(ports, knowledge, place)))?.text,
      at: (lines) => formatCitation({ ...place, ...range(lines) }),
    };
  });
}

function range(lines: LineRange | undefined) {
  return lines === undefined ? {} : { lines };
}

/** Undefined when the cited text no longer exists. */
export async function unlessGone<Text>(shown: Promise<Text>): Promise<Text | undefined> {
  try {
    return await shown;
  } catch (error) {
    if (error instanceof Fault && error.code === 'search/gone') return undefined;
    throw error;
  }
}
