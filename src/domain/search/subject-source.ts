/** Subjects of the knowledge base as something to search. */

import type { Hasher } from '../../base/hasher.ts';
import { isListed, type Subject } from '../knowledge-base/catalog.ts';
import { type OpenTopic, openTopics, type TopicPorts } from '../knowledge-base/open-topics.ts';
import { readSubjectText } from '../knowledge-base/subject-text.ts';
import type { KnowledgeBase } from '../knowledge-base/topic.ts';
import { formatCitation } from './citation.ts';
import type { IndexItem } from './index-item.ts';
import type { SearchSource, SourceItem } from './search-source.ts';
import { textChunks } from './text-chunks.ts';

const NAME = 'kb';

/** Hidden and disabled subjects are not found: who may not list them may not search them either. */
export function subjectSource(
  ports: TopicPorts & { readonly hasher: Hasher },
  knowledge: KnowledgeBase,
): SearchSource {
  return {
    name: NAME,
    async list() {
      const opened = await openTopics(ports, knowledge);
      return opened.flatMap((open) => itemsOf(ports, open, knowledge.maxSubjectBytes));
    },
    citationOf({ topic, id, path, firstLine, lastLine }) {
      const slug = id.slice(topic.length + 1);
      const lines = { first: firstLine, last: lastLine };
      return { uri: formatCitation({ kind: 'subject', topic, slug, lines }), path, lines };
    },
    tierOf: () => 'workspace',
  };
}

function itemsOf({ hasher }: { hasher: Hasher }, open: OpenTopic, maxBytes: number): SourceItem[] {
  const { topic, files, catalog } = open;
  const wanted = catalog.subjects.filter(
    (subject) => isListed(subject) || (subject.state === 'learned' && !subject.hidden),
  );
  return wanted.flatMap((subject) => {
    const read = readSubjectText(files, subject.path, maxBytes);
    if (!read.ok) return [];
    const { text } = read;
    const hash = hasher.sha256(`${subject.path}\0${text}`);
    return [{ id: `${topic.id}/${subject.slug}`, hash, load: async () => itemOf(open, subject, text, hash) }];
  });
}

function itemOf({ topic }: OpenTopic, { slug, path }: Subject, text: string, hash: string): IndexItem {
  const heading = /\.(md|markdown)$/i.test(path) ? /^#\s+(.*)$/m.exec(text)?.[1]?.trim() : undefined;
  return {
    source: NAME,
    id: `${topic.id}/${slug}`,
    kind: 'subject',
    topic: topic.id,
    path: `${topic.directory}/${path}`,
    title: heading || slug,
    hash,
    labels: new Map(),
    chunks: textChunks(text),
  };
}
