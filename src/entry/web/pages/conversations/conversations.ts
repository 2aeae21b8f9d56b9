import { formatLabel } from '../../../../domain/labels/label.ts';
import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import { page, type Visit, workspaceOf } from '../../page.ts';
import {
  address,
  ago,
  badge,
  choices,
  emptyState,
  type Html,
  html,
  NOTHING,
  numeral,
  shell,
} from '../../parts/html.ts';
import { askForm } from './ask-form.ts';

const SHOWN = 100;
const MOST_LABELS = 30;

export const conversationsPage = page({
  path: '/conversations',
  section: 'conversations',
  title: () => 'Conversations',
  async load(visit: Visit) {
    const { query } = visit;
    const { conversations, config } = workspaceOf(visit);
    const [label, isArchived] = [(query.get('label') ?? '').trim(), query.get('archived') === '1'];
    const all = await conversations.list({
      labels: parseSelectors(label === '' ? [] : [label]),
      archived: isArchived ? 'only' : 'without',
      local: 'with',
    });
    const shown = all.map(({ id, isLocal, metadata }) => ({
      id,
      isLocal,
      title: metadata.title ?? null,
      activeAt: metadata.activeAt,
      isFork: metadata.parent !== undefined,
      labels: [...metadata.labels].map(([key, value]) => formatLabel(key, value)),
    }));
    return {
      label,
      isArchived,
      model: config.assistant.model,
      count: all.length,
      counts: labelCounts(shown),
      conversations: shown.slice(0, SHOWN),
    };
  },
  view: (data, visit) => html`
    <div class="top"><h1>Conversations</h1>${choices('Which conversations', [
      { text: 'Current', to: '/conversations', isChosen: !data.isArchived },
      { text: 'Archived', to: '/conversations?archived=1', isChosen: data.isArchived },
    ])}</div>
    ${data.isArchived ? NOTHING : askForm(visit, { model: data.model })}
    ${data.count === 0 && data.label === '' ? NOTHING : filterView(data)}
    <div id="found" class="beside">${listView(data, visit)}${labelsView(data)}</div>`,
});

function filterView(data: Listed): Html {
  return html`<form class="filters" action="/conversations" data-live="found">
      ${data.isArchived ? html`<input type="hidden" name="archived" value="1">` : NOTHING}
      <label>Labels <input name="label" value="${data.label}" placeholder="team=a, !done" autocomplete="off"></label>
      <button class="without-scripts">Filter</button></form>`;
}

interface Listed {
  readonly label: string;
  readonly isArchived: boolean;
  readonly count: number;
  readonly counts: readonly { readonly label: string; readonly count: number }[];
  readonly conversations: readonly {
    readonly id: string;
    readonly isLocal: boolean;
    readonly title: string | null;
    readonly activeAt: number;
    readonly isFork: boolean;
    readonly labels: readonly string[];
  }[];
}

function labelCounts(all: readonly { readonly labels: readonly string[] }[]): Listed['counts'] {
  const groups = Map.groupBy(
    all.flatMap(({ labels }) => labels),
    (label) => label,
  );
  return [...groups]
    .map(([label, found]) => ({ label, count: found.length }))
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_LABELS);
}

function listView({ conversations, count, label, isArchived }: Listed, { now, place }: Visit): Html {
  if (conversations.length === 0)
    return label === '' && !isArchived
      ? emptyState('Nothing was asked yet.', aboutEmpty(place))
      : emptyState(
          isArchived ? 'No conversation is archived.' : 'No conversation has these labels.',
          html`<a href="/conversations">Show the current ones</a>`,
        );
  const items = conversations.map(
    ({ id, title, activeAt, labels, isLocal, isFork }) => html`<li>
      <a class="name" href="${address('/conversations/show', { id })}">${title ?? id}</a>
      <span class="row small quiet">${ago(activeAt, now)} ${labels.map((label) => badge(label))}
        ${isFork ? badge('fork') : NOTHING} ${isLocal ? badge('kept outside the workspace') : NOTHING}</span>
    </li>`,
  );
  return html`<div class="stack"><ul class="list" data-items>${items}</ul>
    ${count > SHOWN ? html`<p class="quiet">${numeral(count - SHOWN)} more; narrow them by labels.</p>` : NOTHING}</div>`;
}

function aboutEmpty({ isOfTeam }: Visit['place']): Html | string {
  return isOfTeam
    ? html`Somebody shares a conversation with ${shell('ken team push --conversation ID')}.`
    : 'Questions and their answers are kept here, with what they cite.';
}

/** Each label with the number of conversations that have it; a click adds it to the selector, or takes it out. */
function labelsView({ counts, label, isArchived }: Listed): Html {
  if (counts.length === 0) return NOTHING;
  const chosen = label.split(',').map((each) => each.trim());
  return html`<aside class="facets" aria-label="Labels"><section><h2>Labels</h2><ul>${counts.map((each) => {
    const isChosen = chosen.includes(each.label);
    const selector = isChosen ? chosen.filter((one) => one !== each.label) : [...chosen, each.label];
    const to = address('/conversations', {
      label: selector.filter(Boolean).join(','),
      archived: isArchived ? '1' : '',
    });
    return html`<li><a href="${to}" ${isChosen ? html`aria-current="true"` : NOTHING}><span>${each.label}</span>
      <span class="quiet">${isChosen ? '\u00d7' : each.count}</span></a></li>`;
  })}</ul></section></aside>`;
}
