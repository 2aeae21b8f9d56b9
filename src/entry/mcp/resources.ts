import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { Fault } from '../../base/fault.ts';
import { singleLine } from '../../base/terminal-text.ts';
import type { Subject } from '../../domain/knowledge-base/catalog.ts';
import type { OpenTopic } from '../../domain/knowledge-base/open-topics.ts';
import { type Topic, topicHeading } from '../../domain/knowledge-base/topic.ts';
import { listTopics, type TopicSummary } from '../../domain/references/topic/list-topics.ts';
import { formatCitation, isCitationUri, requireCitation } from '../../domain/search/citations/citation.ts';
import { mimeTypeOf, openUri } from '../../domain/search/citations/open-uri.ts';
import { assistantHint } from '../../domain/tools/unattended-tool.ts';
import { CARD_URI, cardResource } from './extensions/card-resource.ts';
import { isSkillUri, readSkillFile } from './extensions/skills.ts';
import type { ServedWorkspace } from './served-workspace.ts';

/** In any order. Hidden subjects are not listed, as in `learn`. */
export async function listResources(served: ServedWorkspace): Promise<readonly Resource[]> {
  const topics = await served.topics();
  const references = await listTopics(served.app, { includeObsolete: false });
  return [
    ...topics.flatMap((open) => [topicResource(open.topic), ...subjectResources(open)]),
    ...references.map(referenceResource),
  ];
}

function referenceResource({ topic_id: id, title, file_count: files, status }: TopicSummary): Resource {
  const description = `Reference topic of ${files} files, ${status}.`;
  return {
    uri: `ken://ref/${encodeURIComponent(id)}`,
    name: id,
    title: singleLine(title),
    description,
    mimeType: 'text/markdown',
  };
}

export const RESOURCE_TEMPLATES: ResourceTemplateType[] = [
  {
    name: 'topic',
    title: 'The subjects of a topic',
    uriTemplate: 'ken://kb/{topic}',
    mimeType: 'text/markdown',
  },
  {
    name: 'subject',
    title: 'A subject of the knowledge base',
    description:
      'With #L3-L9 these lines only. With ?sha256=… before that, as a hit has it, it says whether they have changed.',
    uriTemplate: 'ken://kb/{topic}/{+slug}',
    mimeType: 'text/markdown',
  },
  {
    name: 'skill',
    title: 'A file of a skill',
    description: 'Every byte of it, as skills/list names it.',
    uriTemplate: 'skill://{topic}/{+path}',
  },
  {
    name: 'reference-topic',
    title: 'What a reference topic is about, and its sources',
    uriTemplate: 'ken://ref/{topic}',
    mimeType: 'text/markdown',
  },
  {
    name: 'reference',
    title: 'A file of the reference library, as it was at a commit',
    description: 'Between two lines that mark it as data. With #L3-L9 these lines only.',
    uriTemplate: 'ken://ref/{topic}@{commit}/{+path}',
    mimeType: 'text/plain',
  },
  {
    name: 'entry',
    title: 'An entry of the ledger, in one version',
    uriTemplate: 'ken://entry/{+id}@v{version}',
    mimeType: 'text/plain',
  },
  {
    name: 'conversation',
    title: 'A conversation',
    description: 'With #turn-2 that turn only.',
    uriTemplate: 'ken://conversation/{id}',
    mimeType: 'text/markdown',
  },
];

async function readResource({ app, knowledge }: ServedWorkspace, uri: string): Promise<ReadResourceResult> {
  try {
    const { text, mimeType } = await openUri(app, knowledge, { uri, limitBytes: LIMIT_BYTES });
    return { contents: [{ uri, mimeType, text }] };
  } catch (error) {
    throw error instanceof Fault ? notFound(uri, error) : error;
  }
}

function notFound(uri: string, { message, hint }: Fault): ResourceNotFoundError {
  return new ResourceNotFoundError(uri, [message, assistantHint(hint)].filter(Boolean).join(' '));
}

/** Something could be at this address, now or later. */
export function isResourceUri(uri: string): boolean {
  return uri === CARD_URI || uri.startsWith(`${CARD_URI}/`) || isSkillUri(uri) || isCitationUri(uri);
}

/** No resource of ken is there, so that nothing of it ever changes. */
export function isForeignUri(uri: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(uri) && !/^(?:ken|skill|ui):/i.test(uri);
}

export function requireResourceUri(uri: string): void {
  if (isResourceUri(uri)) return;
  try {
    requireCitation(uri);
  } catch (error) {
    throw error instanceof Fault ? notFound(uri, error) : error;
  }
}

export async function readAnyResource(served: ServedWorkspace, uri: string): Promise<ReadResourceResult> {
  if (uri === CARD_URI) return cardResource();
  if (uri.startsWith(`${CARD_URI}/`)) {
    const { requestCard } = await import('./extensions/cards.ts');
    const card = await requestCard(served, uri);
    if (card) return card;
    throw new ResourceNotFoundError(uri, 'No request of this address waits here.');
  }
  return isSkillUri(uri) ? readSkillFile(served, uri) : readResource(served, uri);
}

const LIMIT_BYTES = 256 * 1024;

function topicResource(topic: Topic): Resource {
  const { introduction } = topic;
  return {
    uri: `ken://kb/${encodeURIComponent(topic.id)}`,
    name: topic.id,
    title: topicHeading(topic),
    ...(introduction && { description: introduction }),
    mimeType: 'text/markdown',
  };
}

function subjectResources({ topic, catalog }: OpenTopic): Resource[] {
  const listed = catalog.reachable.all.filter(({ hidden }) => !hidden);
  return listed.map((subject) => subjectResource(topic, subject));
}

function subjectResource(topic: Topic, { slug, path }: Subject): Resource {
  const uri = formatCitation({ kind: 'subject', topic: topic.id, slug });
  return {
    uri,
    name: `${topic.id}/${slug}`,
    title: singleLine(`${topicHeading(topic)}: ${slug}`),
    mimeType: mimeTypeOf({ kind: 'subject' }, path),
  };
}
