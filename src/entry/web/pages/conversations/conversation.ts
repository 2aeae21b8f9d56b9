import { counted } from '../../../../base/text.ts';
import { parseIsoTime } from '../../../../base/time.ts';
import type { ConversationEvent } from '../../../../domain/conversations/event.ts';
import { usageTotal } from '../../../../domain/conversations/event-text.ts';
import { findConversation } from '../../../../domain/conversations/find-conversation.ts';
import { formatLabel } from '../../../../domain/labels/label.ts';
import { receiptLines } from '../../../cli/render/receipt.ts';
import { page, type Visit, workspaceOf } from '../../page.ts';
import {
  address,
  ago,
  badge,
  changeForm,
  emptyState,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
  numeral,
} from '../../parts/html.ts';
import { markdown } from '../../parts/text.ts';
import { askForm } from './ask-form.ts';

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
      parent: metadata.parent ?? null,
      turns: events.filter(({ type }) => type === 'turn_start').length,
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
          { name: 'Kept', value: keptIn(data.isLocal, visit) },
          { name: 'Tokens', value: tokensText(data.usage) },
          { name: 'Copy of', value: parentLink(data.parent) },
        ])}
        ${labelsForm(data, named, visit)}
        ${changeForm(visit, '/conversations/title', html`${named}<label>Title <input name="title" value="${data.title}" autocomplete="off"></label><button>Rename</button>`, 'inline')}
        ${changeForm(visit, '/conversations/fork', html`${named}<label>Copy the first turns <input type="number" name="turns" min="1" max="${data.turns}" value="${data.turns}"></label><button>Fork</button>`, 'inline')}
        ${visit.place.isOfTeam ? NOTHING : exportLinks(data.id)}
        ${changeForm(visit, '/conversations/archive', html`${named}${hidden('archived', data.isArchived ? '' : '1')}<button>${data.isArchived ? 'Put back' : 'Archive'}</button>`)}
      </aside>
    </div>`;
  },
});

function keptIn(isLocal: boolean, { place }: Visit): string {
  if (place.isOfTeam) return 'by the team, as it was when it was shared';
  return isLocal ? 'outside the workspace' : 'in the workspace';
}

function exportLinks(id: string): Html {
  return html`<div class="row"><a class="button" href="${address('/conversations/export', { id })}" download>Markdown</a>
    <a class="button" href="${address('/conversations/export', { id, format: 'jsonl' })}" download>JSON lines</a></div>`;
}

function tokensText({
  input_tokens: input,
  output_tokens: output,
  cost_usd: cost,
}: ReturnType<typeof usageTotal>): string | undefined {
  if (input === undefined && output === undefined) return undefined;
  const price = cost === undefined ? '' : `, ${cost.toPrecision(3)} USD`;
  return `${numeral(input ?? 0)} in, ${numeral(output ?? 0)} out${price}`;
}

function parentLink(id: string | null): Html | undefined {
  return id === null ? undefined : html`<a href="${address('/conversations/show', { id })}">${id}</a>`;
}

/** A click on a label takes it off. */
function labelsForm({ labels }: { readonly labels: readonly string[] }, named: Html, visit: Visit): Html {
  const shown = labels.map((label) => {
    const [key = ''] = label.split('=', 1);
    return visit.canChange
      ? html`<button class="badge" name="labels" value="${key}-" aria-label="Take ${label} off">${label} \u00d7</button>`
      : badge(label);
  });
  return html`<section class="stack"><h2>Labels</h2>
    ${visit.canChange ? changeForm(visit, '/conversations/label', html`${named}${shown}`, 'row') : html`<p class="row">${shown}</p>`}
    ${changeForm(visit, '/conversations/label', html`${named}<label>Add <input name="labels" placeholder="team=a" autocomplete="off" required></label><button>Add</button>`, 'inline')}</section>`;
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
  return html`<pre tabindex="0">${text}</pre>${receipt ? html`<ul class="receipt quiet">${receiptLines(receipt).map((line) => html`<li>${line}</li>`)}</ul>` : NOTHING}`;
}

function eventView(event: ConversationEvent, now: number): Html | undefined {
  switch (event.type) {
    case 'turn_start':
      return html`<span class="anchor" id="turn-${event.turn}"></span>`;
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
