/** What a citation points at, as it is now. References and the ledger join by a reader of their own. */

import { Fault } from '../../base/fault.ts';
import { isConversationId } from '../conversations/conversation-id.ts';
import type { ConversationStore } from '../conversations/store.ts';
import { transcript } from '../conversations/transcript.ts';
import { openTopic, type TopicPorts } from '../knowledge-base/open-topics.ts';
import { describeTextProblem, readSubjectText } from '../knowledge-base/subject-text.ts';
import { findTopic, type KnowledgeBase } from '../knowledge-base/topic.ts';
import { type Citation, formatCitation, type LineRange } from './citation.ts';

export interface CitedText {
  /** Exactly the cited lines, without the last line end. */
  readonly text: string;
  /** The content is not what it was when it was cited: lines that are no longer there, say. */
  readonly isChanged: boolean;
  /** Of a subject, where it is kept. */
  readonly path?: string;
}

export interface CitationPorts extends TopicPorts {
  readonly conversations: ConversationStore;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** A Fault `search/gone` when there is nothing there any more. */
export async function showCitation(
  ports: CitationPorts,
  knowledge: KnowledgeBase,
  citation: Citation,
): Promise<CitedText> {
  if (citation.kind === 'subject') return subjectText(ports, knowledge, citation);
  if (citation.kind === 'turn') return turnText(ports, citation);
  throw gone(citation, 'This workspace has nothing of that kind yet.');
}

async function subjectText(
  ports: TopicPorts,
  knowledge: KnowledgeBase,
  citation: Extract<Citation, { kind: 'subject' }>,
): Promise<CitedText> {
  const topic = findTopic(knowledge.topics, citation.topic);
  if (!topic) throw gone(citation, `There is no topic "${citation.topic}".`);
  const { files, catalog } = await openTopic(ports, topic);
  const subject = catalog.reachable.bySlug.get(citation.slug);
  if (!subject) throw gone(citation, `The topic has no subject "${citation.slug}".`);
  const read = readSubjectText(files, subject.path, MAX_BYTES);
  if (!read.ok) throw gone(citation, `${subject.path}: ${describeTextProblem(read.problem)}.`);
  return { ...citedLines(read.text, citation.lines), path: `${topic.directory}/${subject.path}` };
}

function citedLines(text: string, range: LineRange | undefined): CitedText {
  const lines = text.replace(/\n$/, '').split('\n');
  if (!range) return { text: lines.join('\n'), isChanged: false };
  return { text: lines.slice(range.first - 1, range.last).join('\n'), isChanged: range.last > lines.length };
}

async function turnText(
  { conversations }: CitationPorts,
  citation: Extract<Citation, { kind: 'turn' }>,
): Promise<CitedText> {
  const { conversation: id, turn } = citation;
  const log = isConversationId(id) ? await conversations.log(id) : undefined;
  if (!log || !isConversationId(id)) throw gone(citation, `There is no conversation "${id}".`);
  let current = 0;
  const events = log.events.filter((event) => {
    if (event.type === 'turn_start') current = event.turn;
    return turn === undefined || current === turn;
  });
  if (turn !== undefined && events.length === 0)
    throw gone(citation, `The conversation has no turn ${turn}.`);
  const title = (await conversations.get(id))?.metadata.title;
  return { text: transcript(events, { title, tools: true, reasoning: false }), isChanged: false };
}

function gone(citation: Citation, hint: string): Fault {
  return new Fault('search/gone', `There is nothing at ${formatCitation(citation)}.`, { hint });
}
