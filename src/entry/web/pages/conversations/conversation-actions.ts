/** Asks, answers, and changes conversations. */

import { Fault } from '../../../../base/fault.ts';
import { createConversation, forkOf } from '../../../../domain/conversations/create-conversation.ts';
import type { AttachedText } from '../../../../domain/conversations/event.ts';
import { asWriter, findConversation } from '../../../../domain/conversations/find-conversation.ts';
import { parseLabelDirective } from '../../../../domain/labels/label-directive.ts';
import { relabel, resolveLabelsFor } from '../../../conversation-settings.ts';
import { type Action, type Visit, workspaceOf } from '../../page.ts';
import { address } from '../../parts/html.ts';

export const CONVERSATION_ACTIONS: readonly Action[] = [
  {
    path: '/conversations/ask',
    async run(visit, form, files) {
      const { model: configured } = workspaceOf(visit).config.assistant;
      const question = (form.get('question') ?? '').trim();
      if (question === '')
        throw new Fault('conversations/invalid', 'There is no question.', { hint: 'Type one.' });
      const conversation = form.get('conversation') ?? undefined;
      const model = (form.get('model') ?? '').trim();
      const attached: AttachedText[] = [];
      for (const { name, content } of files) attached.push(await visit.app.sentFiles.read(name, content));
      const options = {
        ...(conversation !== undefined && { conversation }),
        ...(model !== '' && model !== configured && { model }),
      };
      const key = visit.place.turns.start(question, options, attached);
      return { to: address('/conversations/turn', { key }) };
    },
  },
  {
    path: '/conversations/stop',
    async run({ place }, form) {
      const key = form.get('key') ?? '';
      place.turns.stop(key);
      return { to: address('/conversations/turn', { key }) };
    },
  },
  {
    path: '/conversations/answer',
    async run({ place }, form) {
      const key = form.get('key') ?? '';
      const given = form.get('answer') ?? '';
      const asked = place.turns.get(key)?.questions.find((each) => each.key === form.get('question'));
      const isYes = asked?.question.answerType === 'boolean' ? given === 'yes' : given;
      const to = address('/conversations/turn', { key });
      if (asked && place.turns.reply(asked.key, isYes)) return { to };
      return { to, notice: { kind: 'problem', text: 'The tool no longer waits for this answer.' } };
    },
  },
  {
    path: '/conversations/fork',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const source = await findConversation(app, form.get('id') ?? '');
      const turns = Math.max(1, Math.floor(Number(form.get('turns'))) || 1);
      const context = labelContext(visit);
      const { labels, decisions } = await resolveLabelsFor(context, app, {
        event: 'fork',
        conversation: source,
        before: source.metadata.labels,
        directives: [],
      });
      const baseConfig = (await app.conversations.baseConfig(source.id)) ?? {};
      const events = (await app.conversations.log(source.id))?.events ?? [];
      const fork = forkOf({ source, baseConfig, events, turns, labels });
      const { id } = await createConversation(app, { ...fork, events: [...fork.events, ...decisions] });
      return {
        to: address('/conversations/show', { id }),
        notice: { kind: 'done', text: 'This is the copy; the other one stays as it was.' },
      };
    },
  },
  {
    path: '/conversations/label',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const id = form.get('id') ?? '';
      const directives = (form.get('labels') ?? '').split(/\s+/).filter(Boolean).map(parseLabelDirective);
      const context = labelContext(visit);
      await asWriter(app, await findConversation(app, id), visit.signal, (writer, conversation) =>
        relabel(context, app, { writer, conversation, directives }),
      );
      return {
        to: address('/conversations/show', { id }),
        notice: { kind: 'done', text: 'The labels are changed.' },
      };
    },
  },
  changing('/conversations/title', (metadata, form) => ({
    ...metadata,
    title: (form.get('title') ?? '').trim() || (metadata.title ?? ''),
  })),
  changing('/conversations/archive', ({ archivedAt: _, ...metadata }, form, now) =>
    form.get('archived') === '1' ? { ...metadata, archivedAt: now } : metadata,
  ),
];

type Metadata = Awaited<ReturnType<typeof findConversation>>['metadata'];

function changing(
  path: string,
  change: (metadata: Metadata, form: URLSearchParams, now: number) => Metadata,
): Action {
  return {
    path,
    async run(visit, form) {
      const app = workspaceOf(visit);
      const id = form.get('id') ?? '';
      await asWriter(app, await findConversation(app, id), visit.signal, (writer, { metadata }) =>
        writer.putMetadata(change(metadata, form, visit.now)),
      );
      return {
        to: address('/conversations/show', { id }),
        notice: { kind: 'done', text: 'The conversation is changed.' },
      };
    },
  };
}

function labelContext({ place: { request }, signal }: Visit) {
  return { terminal: request, environment: request.environment, signal };
}
