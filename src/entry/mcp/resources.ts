import {
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { aboutDataFences, dataFence, FENCE_BYTES } from '../../base/data-fence.ts';
import { Fault } from '../../base/fault.ts';
import { singleLine } from '../../base/terminal-text.ts';
import { utf8Length } from '../../base/text.ts';
import type { Subject } from '../../domain/knowledge-base/catalog.ts';
import { learnFrom } from '../../domain/knowledge-base/learn/learn-from.ts';
import type { OpenTopic } from '../../domain/knowledge-base/open-topics.ts';
import { type Topic, topicHeading } from '../../domain/knowledge-base/topic.ts';
import { requireTopic } from '../../domain/references/topic/find-topic.ts';
import { listTopics, type TopicSummary } from '../../domain/references/topic/list-topics.ts';
import { addressOf } from '../../domain/references/topic/topic.ts';
import { type Citation, formatCitation, parseCitation } from '../../domain/search/citations/citation.ts';
import { showCitation } from '../../domain/search/citations/show-citation.ts';
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

export async function readResource(served: ServedWorkspace, uri: string): Promise<ReadResourceResult> {
  const [, part, topic = ''] = /^ken:\/\/(kb|ref)\/([^/#@]+)\/?$/.exec(uri) ?? [];
  try {
    if (part === undefined) return await readCited(served, uri);
    return part === 'kb' ? await readTopic(served, uri, topic) : await readReference(served, uri, topic);
  } catch (error) {
    if (error instanceof Fault)
      throw new ResourceNotFoundError(uri, [error.message, error.hint].filter(Boolean).join(' '));
    throw error;
  }
}

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

function subjectResource({ id }: Topic, { slug }: Subject): Resource {
  const uri = formatCitation({ kind: 'subject', topic: id, slug });
  return { uri, name: `${id}/${slug}`, mimeType: 'text/markdown' };
}

async function readTopic(
  { app, knowledge }: ServedWorkspace,
  uri: string,
  topic: string,
): Promise<ReadResourceResult> {
  const { text } = await learnFrom(app, knowledge, { topic: decoded(topic), patterns: [] });
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

/** Description (as data, since it may quote a page) and sources of a reference topic. */
async function readReference(
  { app }: ServedWorkspace,
  uri: string,
  name: string,
): Promise<ReadResourceResult> {
  const { topic } = await requireTopic(app, decoded(name));
  const sources = topic.sources.map((source) => `- ${singleLine(addressOf(source))}`);
  const body = topic.body.trim() === '' ? '' : asData(app, topic.body.trim());
  const text = [`# ${singleLine(topic.title)}`, body, 'Sources:', sources.join('\n')]
    .filter(Boolean)
    .join('\n\n');
  return { contents: [{ uri, mimeType: 'text/markdown', text }] };
}

/** An invalid percent escape stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

async function readCited({ app, knowledge }: ServedWorkspace, uri: string): Promise<ReadResourceResult> {
  const citation = parseCitation(uri);
  if (!citation) throw new ResourceNotFoundError(uri, `"${uri}" is not a citation.`);
  const { text, isChanged, change } = await showCitation(app, knowledge, citation);
  const shown = fenced(app, citation, fitting(text, citation));
  const how = change === undefined ? '' : `: ${change}`;
  const note = isChanged ? `\n(the content has changed since this was cited${how})` : '';
  return { contents: [{ uri, mimeType: mimeTypeOf(citation), text: `${shown}${note}` }] };
}

/** Fetched text is fenced as data. */
function fenced(app: ServedWorkspace['app'], { kind }: Citation, text: string): string {
  return kind === 'reference' ? asData(app, text) : text;
}

function asData({ ids }: ServedWorkspace['app'], text: string): string {
  const id = ids.token(FENCE_BYTES);
  return `${aboutDataFences(id)}\n\n${dataFence(id, text)}`;
}

function mimeTypeOf({ kind }: Citation): string {
  return kind === 'subject' || kind === 'turn' ? 'text/markdown' : 'text/plain';
}

const LIMIT_BYTES = 256 * 1024;

/** Keeps whole lines from the start and gives the URI of the rest. */
function fitting(text: string, citation: Citation): string {
  if (utf8Length(text) <= LIMIT_BYTES) return text;
  const lines = text.split('\n');
  let room = LIMIT_BYTES;
  const shown = lines.findIndex((line) => {
    room -= utf8Length(line) + 1;
    return room < 0;
  });
  const first = citation.lines?.first ?? 1;
  const rest = { first: first + shown, last: first + lines.length - 1 };
  if (citation.kind === 'turn' || shown === 0) {
    const start = text.slice(0, LIMIT_BYTES / 4).toWellFormed();
    return `${start}\n(cut: the first ${start.length} of ${text.length} characters are shown; "ken show ${formatCitation(citation)}" prints all)`;
  }
  // The digest covers all lines, so it is left out.
  const { sha256: _, ...place } = citation;
  const uri = formatCitation({ ...place, lines: rest });
  return `${lines.slice(0, shown).join('\n')}\n(cut: ${shown} of ${lines.length} lines are shown; read on at ${uri})`;
}
