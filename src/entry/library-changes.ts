/** Changes of conversations and subjects for programs, by the functions of the command line. Nothing here erases. */

import path from 'node:path';
import type { OpenRequest, WorkspaceApp } from '../app.ts';
import { type Conversation, givenTitle, type Metadata } from '../domain/conversations/conversation.ts';
import { asWriter, findConversation, readConversation } from '../domain/conversations/find-conversation.ts';
import { parseLabelDirective } from '../domain/labels/label-directive.ts';
import type { ConversationChanges, SubjectFile } from './library-change-types.ts';
import { CHANGE_CONVERSATION, checkedArguments, EXPORT, FORK, SUBJECT } from './library-facts.ts';
import { conversationSummary } from './library-records.ts';
import type { Ken } from './library-types.ts';

type Changes = Pick<
  Ken,
  | 'changeConversation'
  | 'forkConversation'
  | 'exportConversation'
  | 'deleteConversation'
  | 'addSubject'
  | 'editSubject'
  | 'moveSubject'
  | 'deleteSubject'
  | 'copiesOf'
>;

/** `request` is how the app was opened. */
export function changesOf(app: WorkspaceApp, request: OpenRequest): Changes {
  return { ...conversationChanges(app, request), ...subjectChanges(app), ...erasurePreview(app) };
}

type ConversationMethods =
  | 'changeConversation'
  | 'forkConversation'
  | 'exportConversation'
  | 'deleteConversation';

function conversationChanges(app: WorkspaceApp, request: OpenRequest): Pick<Changes, ConversationMethods> {
  return {
    async changeConversation(id, changes, signal = new AbortController().signal) {
      signal.throwIfAborted();
      checkedArguments(CHANGE_CONVERSATION, { id, ...changes });
      const found = await findConversation(app, id);
      await asWriter(app, found, signal, (writer, { metadata }) =>
        writer.putMetadata(changedMetadata(metadata, changes, app.clock.now())),
      );
      return conversationSummary(await readConversation(app, found.id));
    },
    async forkConversation(id, options = {}, signal = new AbortController().signal) {
      signal.throwIfAborted();
      checkedArguments(FORK, { id, ...options });
      const conversation = await findConversation(app, id);
      return conversationSummary(await forkedFrom(app, request, conversation, options, signal));
    },
    async exportConversation(id, format = 'md') {
      checkedArguments(EXPORT, { id, format });
      const found = await findConversation(app, id);
      const events = (await app.conversations.log(found.id))?.events ?? [];
      if (format === 'md') {
        const { transcript } = await import('../domain/conversations/transcript.ts');
        return `${transcript(events, { title: found.metadata.title, tools: true, reasoning: false })}\n`;
      }
      const { conversationLines } = await import('../domain/conversations/export-conversation.ts');
      return [...conversationLines(found.id, found.metadata, events), ''].join('\n');
    },
    async deleteConversation(id, signal = new AbortController().signal) {
      signal.throwIfAborted();
      checkedArguments(EXPORT, { id });
      const found = await findConversation(app, id);
      await asWriter(app, found, signal, (writer) => writer.remove());
    },
  };
}

function changedMetadata(
  { title: before, pinnedAt, archivedAt, ...rest }: Metadata,
  { title, pinned, archived }: ConversationChanges,
  now: number,
): Metadata {
  const next = title === undefined ? before : givenTitle(title);
  const since = (wanted: boolean | undefined, at: number | undefined) =>
    wanted === undefined ? at : wanted ? (at ?? now) : undefined;
  const [pin, archive] = [since(pinned, pinnedAt), since(archived, archivedAt)];
  return {
    ...rest,
    ...(next !== undefined && { title: next }),
    ...(pin !== undefined && { pinnedAt: pin }),
    ...(archive !== undefined && { archivedAt: archive }),
  };
}

async function forkedFrom(
  app: WorkspaceApp,
  request: OpenRequest,
  source: Conversation,
  { turns, title, labels: changes = [] }: NonNullable<Parameters<Ken['forkConversation']>[1]>,
  signal: AbortSignal,
): Promise<Conversation> {
  const { createConversation, forkOf } = await import('../domain/conversations/create-conversation.ts');
  const { resolveLabelsFor } = await import('./conversation-settings.ts');
  const context = { terminal: request, environment: request.environment, signal };
  const { labels, decisions } = await resolveLabelsFor(context, app, {
    event: 'fork',
    conversation: source,
    before: source.metadata.labels,
    directives: changes.map(parseLabelDirective),
  });
  const [baseConfig = {}, log] = await Promise.all([
    app.conversations.baseConfig(source.id),
    app.conversations.log(source.id),
  ]);
  const events = log?.events ?? [];
  const fork = forkOf({ source, baseConfig, events, turns, labels, title: givenTitle(title) });
  return createConversation(app, { ...fork, events: [...fork.events, ...decisions] });
}

type SubjectMethods = 'addSubject' | 'editSubject' | 'moveSubject' | 'deleteSubject';

function subjectChanges(app: WorkspaceApp): Pick<Changes, SubjectMethods> {
  const subjects = () => import('./cli/commands/kb/subject.ts');
  return {
    async addSubject(topic, slug, text) {
      checkedArguments(SUBJECT, { topic, slug, text });
      const { createSubject } = await import('./cli/commands/kb/add.ts');
      const content = new TextEncoder().encode(text);
      const added = await createSubject(app, `${topic}/${slug}`, { content, extension: undefined });
      return { topic: added.topic.id, slug: added.slug, file: added.file };
    },
    async editSubject(topic, slug, text) {
      checkedArguments(SUBJECT, { topic, slug, text });
      const { findSubject } = await subjects();
      const { requireText } = await import('../domain/knowledge-base/add-subject.ts');
      const found = await findSubject(app, `${topic}/${slug}`);
      const content = new TextEncoder().encode(text);
      requireText(content);
      await app.newFiles.replace(found.directory, found.subject.path, content);
      return subjectFile(found);
    },
    async moveSubject(topic, slug, to) {
      checkedArguments(SUBJECT, { topic, slug, to });
      const { findSubject, moveTo } = await subjects();
      const [, now] = await moveTo(app, await findSubject(app, `${topic}/${slug}`), to);
      return subjectFile(await findSubject(app, now));
    },
    async deleteSubject(topic, slug) {
      checkedArguments(SUBJECT, { topic, slug });
      const { findSubject } = await subjects();
      const { directory, subject } = await findSubject(app, `${topic}/${slug}`);
      await app.newFiles.remove(directory, subject.path);
    },
  };
}

function subjectFile({
  topic,
  subject,
}: {
  readonly topic: { readonly id: string; readonly directory: string };
  readonly subject: { readonly slug: string; readonly path: string };
}): SubjectFile {
  return { topic: topic.id, slug: subject.slug, file: path.posix.join(topic.directory, subject.path) };
}

function erasurePreview(app: WorkspaceApp): Pick<Changes, 'copiesOf'> {
  return {
    async copiesOf(kind, id, signal = new AbortController().signal) {
      signal.throwIfAborted();
      const { conversationToErase, entryToErase } = await import('./cli/erase-target.ts');
      const target = kind === 'entry' ? await entryToErase(app, id) : await conversationToErase(app, id);
      const { copies, ...others } = await app.erasures.find(target, signal);
      return { copies: copies.map(({ path: place, what }) => ({ path: place, what })), ...others };
    },
  };
}
