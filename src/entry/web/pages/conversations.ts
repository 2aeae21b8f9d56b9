import { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import { parseIsoTime } from '../../../base/time.ts';
import type { ConversationEvent } from '../../../domain/conversations/event.ts';
import { usageTotal } from '../../../domain/conversations/event-text.ts';
import { asWriter, findConversation } from '../../../domain/conversations/find-conversation.ts';
import { formatLabel } from '../../../domain/labels/label.ts';
import { parseLabelDirective } from '../../../domain/labels/label-directive.ts';
import { parseSelectors } from '../../../domain/labels/parse-selector.ts';
import { relabel } from '../../conversation-settings.ts';
import { type Action, page, type Visit, workspaceOf } from '../page.ts';
import {
  address,
  ago,
  badge,
  changeForm,
  choices,
  emptyState,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
  numeral,
} from '../parts/html.ts';
import { markdown } from '../parts/text.ts';
import { turnView } from '../parts/turn.ts';

const SHOWN = 100;

export const conversationsPage = page({
  path: '/conversations',
  section: 'conversations',
  title: () => 'Conversations',
  async load(visit: Visit) {
    const { query } = visit;
    const { conversations, config } = workspaceOf(visit);
    const [labels, archived] = [query.get('label') ?? '', query.get('archived') === '1'];
    const all = await conversations.list({
      labels: parseSelectors(labels === '' ? [] : [labels]),
      archived: archived ? 'only' : 'without',
      local: 'with',
    });
    return {
      label: labels,
      archived,
      model: config.assistant.model,
      count: all.length,
      conversations: all.slice(0, SHOWN).map(({ id, isLocal, metadata }) => ({
        id,
        isLocal,
        title: metadata.title ?? null,
        activeAt: metadata.activeAt,
        labels: [...metadata.labels].map(([key, value]) => formatLabel(key, value)),
      })),
    };
  },
  view: (data, visit) => html`
    <div class="top"><h1>Conversations</h1>${choices('Which conversations', [
      { text: 'Current', to: '/conversations', isChosen: !data.archived },
      { text: 'Archived', to: '/conversations?archived=1', isChosen: data.archived },
    ])}</div>
    ${askForm(visit, { model: data.model })}
    <form class="row" action="/conversations"><label class="row">Labels
      <input name="label" value="${data.label}" placeholder="team=a, !done" autocomplete="off"></label><button>Filter</button></form>
    ${
      data.conversations.length === 0
        ? emptyState('There are no such conversations.', 'Ask something above; the answer is kept here.')
        : html`<ul class="list" data-items>${data.conversations.map(
            ({ id, title, activeAt, labels, isLocal }) => html`<li>
              <a class="name" href="${address('/conversations/show', { id })}">${title ?? id}</a>
              <span class="row small quiet">${ago(activeAt, visit.now)} ${labels.map((label) => badge(label))} ${isLocal ? badge('kept outside the workspace') : NOTHING}</span>
            </li>`,
          )}</ul>`
    }
    ${data.count > SHOWN ? html`<p class="quiet">${numeral(data.count - SHOWN)} more; narrow them by labels.</p>` : NOTHING}`,
});

function askForm(
  visit: Visit,
  { model, conversation }: { readonly model: string; readonly conversation?: string },
): Html {
  return changeForm(
    visit,
    '/conversations/ask',
    html`${conversation === undefined ? NOTHING : hidden('conversation', conversation)}
      ${hidden('back', conversation === undefined ? '/conversations' : address('/conversations/show', { id: conversation }))}
      <label>${conversation === undefined ? 'Ask' : 'Ask on'}
        <textarea name="question" required placeholder="How do we deploy?" data-ask></textarea></label>
      <div class="row"><button class="main">Ask</button>
        <span class="small quiet">${model === 'ken/extractive' ? 'ken answers from what it knows, without a language model' : model}</span></div>`,
    'stack',
  );
}

export const conversationPage = page({
  path: '/conversations/show',
  section: 'conversations',
  title: ({ title }) => title,
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const { id, isLocal, metadata } = await findConversation(app, visit.query.get('id') ?? '');
    const log = await app.conversations.log(id);
    const events = log?.events ?? [];
    return {
      id,
      isLocal,
      title: metadata.title ?? id,
      labels: [...metadata.labels].map(([key, value]) => formatLabel(key, value)),
      createdAt: metadata.createdAt,
      activeAt: metadata.activeAt,
      isArchived: metadata.archivedAt !== undefined,
      model: app.config.assistant.model,
      usage: usageTotal(events),
      unreadable: log?.unreadable ?? [],
      events,
    };
  },
  view: (data, visit) => {
    const named = html`${hidden('id', data.id)}${hidden('back', address('/conversations/show', { id: data.id }))}`;
    return html`
    <div class="top"><div><p class="quiet"><a href="/conversations">Conversations</a></p><h1>${data.title}</h1></div>
      ${data.isArchived ? badge('archived') : NOTHING}</div>
    <div class="beside">
      <div class="stack">
        ${data.unreadable.length > 0 ? html`<div class="notice problem"><p>${counted(data.unreadable.length, 'line')} of the log cannot be read.</p></div>` : NOTHING}
        ${transcriptView(data.events, visit.now)}
        ${askForm(visit, { model: data.model, conversation: data.id })}
      </div>
      <aside class="stack" aria-label="About this conversation">
        ${facts([
          { name: 'Id', value: html`<code>${data.id}</code>` },
          { name: 'Begun', value: ago(data.createdAt, visit.now) },
          { name: 'Active', value: ago(data.activeAt, visit.now) },
          { name: 'Kept', value: data.isLocal ? 'outside the workspace' : 'in the workspace' },
          { name: 'Tokens', value: tokensText(data.usage) },
          { name: 'Labels', value: html`${data.labels.map((label) => badge(label))}` },
        ])}
        ${changeForm(visit, '/conversations/label', html`${named}<label>Change labels <input name="labels" placeholder="team=a done-" autocomplete="off"></label><div><button>Set</button></div>`, 'stack')}
        ${changeForm(visit, '/conversations/title', html`${named}<label>Title <input name="title" value="${data.title}" autocomplete="off"></label><div><button>Rename</button></div>`, 'stack')}
        ${changeForm(visit, '/conversations/archive', html`${named}${hidden('archived', data.isArchived ? '' : '1')}<button>${data.isArchived ? 'Put back' : 'Archive'}</button>`)}
      </aside>
    </div>`;
  },
});

function tokensText({
  input_tokens: input,
  output_tokens: output,
  cost_usd: cost,
}: ReturnType<typeof usageTotal>): string | undefined {
  if (input === undefined && output === undefined) return undefined;
  const price = cost === undefined ? '' : `, ${cost.toPrecision(3)} USD`;
  return `${numeral(input ?? 0)} in, ${numeral(output ?? 0)} out${price}`;
}

/** Consecutive tool calls are folded into one. */
function transcriptView(events: readonly ConversationEvent[], now: number): Html {
  const shown: Html[] = [];
  let calls: ConversationEvent[] = [];
  const fold = () => {
    if (calls.length > 0) shown.push(callsView(calls));
    calls = [];
  };
  for (const event of events) {
    if (event.type === 'tool_call' || event.type === 'tool_result') calls.push(event);
    const view = eventView(event, now);
    if (!view) continue;
    fold();
    shown.push(view);
  }
  fold();
  return shown.length === 0 ? emptyState('Nothing has been said yet.') : html`${shown}`;
}

function callsView(events: readonly ConversationEvent[]): Html {
  const names = events.flatMap((event) => (event.type === 'tool_call' ? [event.name] : []));
  return html`<details class="small"><summary>${counted(names.length, 'tool call')}: ${[...new Set(names)].join(', ')}</summary>
    <div class="stack">${events.map(callView)}</div></details>`;
}

function callView(event: ConversationEvent): Html {
  if (event.type === 'tool_call')
    return html`<pre tabindex="0">${event.name} ${JSON.stringify(event.arguments, null, 2)}</pre>`;
  if (event.type !== 'tool_result') return NOTHING;
  const { outcome, receipt } = event;
  const failed = outcome.type === 'error' ? outcome.message : '';
  const text =
    outcome.type === 'success'
      ? outcome.text
      : outcome.type === 'needs-input'
        ? outcome.question.text
        : failed;
  return html`<pre tabindex="0">${text}</pre>${receipt ? html`<p class="quiet">${receipt.milliseconds} ms, read ${counted(receipt.filesRead.length, 'file')}, wrote ${counted(receipt.filesWritten.length, 'file')}</p>` : NOTHING}`;
}

function eventView(event: ConversationEvent, now: number): Html | undefined {
  switch (event.type) {
    case 'user_message':
      return html`<article class="said person"><p class="small quiet">You ${timeView(event.at, now)}</p>${markdown(event.text)}
        ${(event.attachments ?? []).map(({ source }) => badge(source))}</article>`;
    case 'assistant_message':
      if (event.text === '') return undefined;
      return html`<article class="said"><p class="small quiet">${event.model} ${timeView(event.at, now)}</p>${markdown(event.text)}</article>`;
    case 'approval':
      return html`<p class="small quiet">${badge(event.decision, event.decision === 'approved' ? 'accent' : 'alert')} ${event.summary}</p>`;
    case 'remark':
      return html`<p class="small quiet">${badge(event.kind)} ${event.text}</p>`;
    default:
      return undefined;
  }
}

function timeView(at: string, now: number): Html {
  return ago(parseIsoTime(at) ?? now, now);
}

export const turnPage = page({
  path: '/conversations/turn',
  section: 'conversations',
  title: ({ turn }) => turn.question,
  async load({ place, query }: Visit) {
    const turn = place.turns.get(query.get('key') ?? '');
    if (!turn)
      throw new Fault('conversations/not-found', 'This answer is no longer held in memory.', {
        hint: 'Conversations lists what was kept of it.',
      });
    const { key, question, conversation, text, calls, waiting, end } = turn;
    return {
      turn: { key, question, conversation: conversation ?? null, text, calls, waiting, end: end ?? null },
    };
  },
  view: ({ turn }, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/conversations">Conversations</a></p><h1>Answer</h1></div></div>
    <article class="said person">${markdown(turn.question)}</article>
    <div id="turn" class="stack" ${turn.end === null ? html`data-turn="${turn.key}"` : NOTHING} aria-live="polite">${turnView(turn, visit)}</div>
    ${turn.end === null ? html`<noscript><meta http-equiv="refresh" content="2"></noscript>` : NOTHING}`,
});

export const CONVERSATION_ACTIONS: readonly Action[] = [
  {
    path: '/conversations/ask',
    async run(visit, form) {
      workspaceOf(visit);
      const question = (form.get('question') ?? '').trim();
      if (question === '')
        throw new Fault('conversations/invalid', 'There is no question.', { hint: 'Type one.' });
      const conversation = form.get('conversation');
      const key = visit.place.turns.start(question, conversation === null ? {} : { conversation });
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
    path: '/conversations/label',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const id = form.get('id') ?? '';
      const directives = (form.get('labels') ?? '').split(/\s+/).filter(Boolean).map(parseLabelDirective);
      const context = {
        terminal: visit.place.request,
        environment: visit.place.request.environment,
        signal: visit.signal,
      };
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
