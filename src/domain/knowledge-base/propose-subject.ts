/** `kb_propose`: an assistant proposes the text of a subject, and the operator decides on the difference. */

import { Fault } from '../../base/fault.ts';
import { asText, type JsonObject, memberOf } from '../../base/json.ts';
import { utf8Length } from '../../base/text.ts';
import type { Approval, ApprovalRequest } from '../approvals/approval.ts';
import { toApprovalError } from '../approvals/approval-text.ts';
import type { WorkResult } from '../approvals/job.ts';
import { type ApprovalPorts, seekApproval } from '../approvals/seek-approval.ts';
import { failure, success, type Tool, type ToolResult } from '../tools/tool.ts';
import { type ToolShape, unattendedTool } from '../tools/unattended-tool.ts';
import type { NewFiles } from './export-skills.ts';
import { openTopic, type TopicPorts } from './open-topics.ts';
import type { SubjectFiles } from './subject-files.ts';
import { readSubjectText } from './subject-text.ts';
import { fileOf, findTopic, type KnowledgeBase, type Topic, unknownTopic } from './topic.ts';

export interface ProposePorts extends TopicPorts, ApprovalPorts {
  readonly newFiles: NewFiles;
  readonly workspace: { readonly root: string };
}

const text = (description: string) => ({ type: 'string', description });

const SHAPE: ToolShape = {
  description:
    'Propose a subject of the knowledge base, new or with another text. A person sees the difference and approves it.',
  properties: {
    topic: text('The id or title of a topic.'),
    slug: text('The subject: maintainers/ada. One that exists gets the new text.'),
    text: text('The whole text of the subject, as Markdown unless its file is of another kind.'),
  },
  required: ['topic', 'slug', 'text'],
  long: ['text'],
  output: {
    text: text('What came of it; what to tell the operator while it waits.'),
    file: text('The file that holds the subject.'),
    approval_id: text('What waits for a person to decide.'),
  },
};

/** Undefined when no topic can be changed: one that follows links may lead out of the workspace, a personal one is elsewhere. */
export function proposeTool(ports: ProposePorts, knowledge: KnowledgeBase, actor: string): Tool | undefined {
  const topics = knowledge.topics.filter(
    ({ enabled, isShipped, followSymlinks, root }) =>
      enabled && !isShipped && !followSymlinks && root === undefined,
  );
  if (topics.length === 0) return undefined;
  return unattendedTool({
    name: 'kb_propose',
    reach: 'write',
    shape: SHAPE,
    faults: ['kb', 'files'],
    shown: ({ topic, slug }) => `${topic}/${slug}`,
    async call(given, signal, { recordDecision }) {
      const asked = asText(given.topic) ?? '';
      const topic = findTopic(topics, asked);
      if (!topic) {
        const { message, hint } = unknownTopic(topics, asked);
        return { outcome: failure(`${message} ${hint}`) };
      }
      const request = await proposedSubject(ports, { topic, knowledge, given, actor });
      return request ? decided({ ...ports, recordDecision }, request, signal) : UNCHANGED;
    },
  });
}

const UNCHANGED: ToolResult = { outcome: success('The subject has exactly this text already.') };

interface Proposed {
  readonly topic: Topic;
  readonly knowledge: KnowledgeBase;
  readonly given: JsonObject;
  readonly actor: string;
}

/** Undefined when the subject has this text already. */
async function proposedSubject(
  ports: ProposePorts,
  { topic, knowledge: { maxSubjectBytes }, given, actor }: Proposed,
): Promise<ApprovalRequest | undefined> {
  const [slug = '', content = ''] = [asText(given.slug), asText(given.text)];
  if (content.trim() === '') throw new Fault('kb/unreadable', 'The proposed text is empty.');
  if (utf8Length(content) > maxSubjectBytes)
    throw new Fault('kb/unreadable', `A subject has at most ${maxSubjectBytes} bytes.`, {
      hint: 'Divide it into several subjects.',
    });
  const { planSubject, requireText } = await import('./add-subject.ts');
  requireText(new TextEncoder().encode(content));
  const { catalog, files } = await openTopic(ports, topic);
  const known = catalog.subjects.find((subject) => subject.slug === slug || subject.path === slug);
  if (known?.state === 'disabled' || (!known && (isHidden(slug) || /\p{C}/u.test(slug))))
    throw new Fault('kb/invalid-name', `${JSON.stringify(slug)} cannot be proposed.`, {
      hint: 'Use another name, without a leading dot and without line ends.',
    });
  const before = known ? wholeText(files, known.path, maxSubjectBytes) : null;
  if (before === content) return undefined;
  const path = known?.path ?? planSubject(catalog.listing, { name: slug, extension: undefined }).path;
  return {
    workspace: ports.workspace.root,
    actor,
    reason: { type: 'subject_propose', topic: topic.id, slug: known?.slug ?? slug },
    request: { file: fileOf(topic, path), before, text: content },
  };
}

function isHidden(slug: string): boolean {
  return slug.split('/').some((part) => part.startsWith('.'));
}

function wholeText(files: SubjectFiles, path: string, maxBytes: number): string {
  const read = readSubjectText(files, path, maxBytes);
  if (read.ok && read.sizeBytes === read.shownBytes) return read.text;
  throw new Fault(
    'kb/unreadable',
    `${path} is not text, or is too long to be shown to a person as a whole.`,
    {
      hint: 'Propose a subject of another name.',
    },
  );
}

async function decided(
  ports: ProposePorts,
  request: ApprovalRequest,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { kind, approval } = await seekApproval(ports, request, signal);
  if (kind === 'pending')
    return { outcome: failure(toApprovalError(request.reason)), data: { approval_id: approval.id } };
  if (kind === 'denied')
    return { outcome: failure('The operator said no. Propose something smaller, or leave it.') };
  const { message, data } = await writeAsApproved(ports, approval);
  return { outcome: success(message), data: { text: message, ...data } };
}

/** Writes exactly what the approval covers, unless the file has changed since the difference was shown. */
export async function writeAsApproved(
  ports: { readonly newFiles: NewFiles },
  { workspace, reason, request, state, id }: Approval,
): Promise<WorkResult & { readonly data: JsonObject }> {
  const [file, text] = [asText(memberOf(request, 'file')), asText(memberOf(request, 'text'))];
  const before = memberOf(request, 'before');
  const isGranted = state.status === 'consumed' && reason.type === 'subject_propose';
  if (!isGranted || !workspace || !file || text === undefined)
    throw new Error(`Approval ${id} is not a granted proposal of a subject.`);
  const content = new TextEncoder().encode(text);
  if (typeof before === 'string') await ports.newFiles.replace(workspace, file, content, { holds: before });
  else await ports.newFiles.create(workspace, [{ path: file, content }]);
  return { message: `${file} holds the proposed text now.`, data: { file } };
}
