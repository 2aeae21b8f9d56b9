import { minuteTime, secondsOf } from '../../../../base/time.ts';
import { parseSelectors } from '../../../../domain/labels/parse-selector.ts';
import { checkedChoice } from '../../../../domain/ledger/entry/checked-input.ts';
import { type Entry, isExpired, STATUSES, worstOf } from '../../../../domain/ledger/entry/entry.ts';
import { entryJson } from '../../../../domain/ledger/entry/entry-json.ts';
import { parseMoment } from '../../../../domain/ledger/entry/timestamp.ts';
import { page, type Visit, workspaceOf } from '../../page.ts';
import {
  address,
  ago,
  badge,
  choices,
  emptyState,
  type Html,
  hidden,
  html,
  NOTHING,
  shell,
} from '../../parts/html.ts';

const PAGE_SIZE = 50;
const MOST_DAYS = 365;

export const ledgerPage = page({
  path: '/ledger',
  section: 'ledger',
  title: () => 'Ledger',
  async load(visit: Visit) {
    const { query } = visit;
    const { ledger, clock } = workspaceOf(visit);
    const given = (name: string) => (query.get(name) ?? '').trim();
    const status = checkedChoice('status', given('status') || 'active', [...STATUSES, 'all']) ?? 'active';
    const days = Math.min(MOST_DAYS, Math.max(0, Math.floor(Number(given('ago'))) || 0));
    const asOf = given('as_of') || (days > 0 ? `${days}d` : '');
    const now = secondsOf(clock.now());
    const at = asOf === '' ? undefined : parseMoment(asOf, now);
    const [tag, label] = [given('tag'), given('label')];
    const from = Math.max(0, Number.parseInt(given('from'), 10) || 0);
    const found = await ledger.list({
      ...(status !== 'all' && { statuses: [status] }),
      ...(at !== undefined && { at }),
      ...(tag !== '' && { tags: [tag] }),
      labels: parseSelectors(label === '' ? [] : [label]),
      limit: PAGE_SIZE + 1,
      offset: from,
    });
    const entries = found.slice(0, PAGE_SIZE);
    return {
      status,
      asOf,
      days: at === undefined ? 0 : Math.max(0, Math.round((now - at) / 86_400)),
      at: at === undefined ? null : minuteTime(at * 1000),
      tag,
      label,
      from,
      hasMore: found.length > PAGE_SIZE,
      entries: entries.map(entryJson),
      found: entries,
    };
  },
  view: (data, visit) => {
    const { status, asOf, tag, label } = data;
    const at = (changed: Readonly<Record<string, string>>) =>
      address('/ledger', { status: status === 'active' ? '' : status, as_of: asOf, tag, label, ...changed });
    return html`
    <div class="top"><h1>Ledger</h1>
      ${choices(
        'Status',
        [...STATUSES, 'all'].map((each) => ({
          text: each,
          to: at({ status: each }),
          isChosen: each === status,
        })),
      )}
      ${visit.canChange ? html`<a class="button main" href="/ledger/new">New entry</a>` : NOTHING}</div>
    ${isUntouched(data) ? NOTHING : filtersView(data)}
    <div id="entries" class="stack">
      ${data.at === null ? NOTHING : html`<p class="quiet">As it was on ${data.at}.</p>`}
      ${listView(data, visit)}
      <p class="row">${data.from > 0 ? html`<a href="${at({ from: String(Math.max(0, data.from - PAGE_SIZE)) })}">Newer</a>` : NOTHING}
        ${data.hasMore ? html`<a href="${at({ from: String(data.from + PAGE_SIZE) })}">Older</a>` : NOTHING}</p>
    </div>`;
  },
});

interface Listed extends Filters {
  readonly from: number;
  readonly found: readonly Entry[];
}

interface Filters {
  readonly status: string;
  readonly days: number;
  readonly at: string | null;
  readonly tag: string;
  readonly label: string;
}

function filtersView({ status, days, at, tag, label }: Filters): Html {
  return html`<form class="filters" action="/ledger" data-live="entries">
      ${hidden('status', status)}
      <label>Tag <input name="tag" value="${tag}" autocomplete="off"></label>
      <label>Labels <input name="label" value="${label}" placeholder="team=a, !done" autocomplete="off"></label>
      <label><span>As of <output class="quiet">${at ?? 'now'}</output></span>
        <input type="range" class="back" name="ago" min="0" max="${MOST_DAYS}" value="${days}" data-days aria-label="As of so many days ago"></label>
      <button class="without-scripts">Filter</button>
    </form>`;
}

/** Nothing is there, and nothing narrows the list. */
function isUntouched({ found, status, days, at, tag, label, from }: Listed): boolean {
  return (
    found.length === 0 &&
    status === 'active' &&
    days === 0 &&
    at === null &&
    `${tag}${label}` === '' &&
    from === 0
  );
}

function listView(listed: Listed, { now, canChange }: Visit): Html {
  const { found } = listed;
  if (found.length > 0)
    return html`<ul class="list" data-items>${found.map((entry) => entryItem(entry, now))}</ul>`;
  if (!isUntouched(listed))
    return emptyState(
      'No entry is like this.',
      html`<a href="/ledger">Show the active ones</a> again, or choose another day.`,
    );
  const first = canChange
    ? html`<a href="/ledger/new">Keep a first fact</a>`
    : html`Keep a first one with ${shell('ken k add')}`;
  return emptyState(
    'The ledger has no active entry.',
    html`It keeps facts with the lines that show them, and says when they no longer hold. ${first}, or look at <a href="/ledger?status=all">all entries</a>.`,
  );
}

function entryItem(entry: Entry, now: number): Html {
  const { id, title, status, updatedAt, provenance, tags, isClaim } = entry;
  const isGone = status === 'active' && isExpired(entry, secondsOf(now));
  return html`<li>
    <a class="name" href="${address('/ledger/entry', { id })}">${title}</a>
    <span class="row small quiet">${verdictBadge(worstOf(entry.citations.map(({ verified }) => verified))?.verdict)}
      ${status === 'active' ? NOTHING : badge(status)} ${isGone ? badge('expired', 'alert') : NOTHING}
      ${visibilityBadge(entry)} ${isClaim ? badge('claim') : NOTHING} ${tags.map((each) => badge(each))}
      <span class="mono">${provenance}</span> ${ago(updatedAt * 1000, now)}</span>
  </li>`;
}

export function visibilityBadge({ visibility }: Pick<Entry, 'visibility'>): Html {
  if (visibility === undefined) return NOTHING;
  return badge(visibility === 'me' ? 'only you' : 'whole team', 'accent');
}

export function verdictBadge(verdict: string | undefined): Html {
  if (verdict === undefined) return badge('not verified');
  return badge(verdict, verdict === 'ok' ? 'accent' : verdict === 'unchecked' ? 'plain' : 'alert');
}
