import { Fault } from '../../../base/fault.ts';
import { lineDifference } from '../../../base/line-difference.ts';
import { minuteTime, secondsOf } from '../../../base/time.ts';
import { parseSelectors } from '../../../domain/labels/parse-selector.ts';
import { stampOf } from '../../../domain/ledger/add-entry.ts';
import { checkedChoice } from '../../../domain/ledger/entry/checked-input.ts';
import { type Entry, entryId, isExpired, STATUSES, worstOf } from '../../../domain/ledger/entry/entry.ts';
import { entryJson, eventJson, versionJson } from '../../../domain/ledger/entry/entry-json.ts';
import { parseMoment } from '../../../domain/ledger/entry/timestamp.ts';
import { verifyEntries } from '../../../domain/ledger/evidence/verify-entries.ts';
import { noEntry } from '../../../domain/ledger/plans/plan-status.ts';
import { standings } from '../../../domain/ledger/search/current-entries.ts';
import { isCitationUri } from '../../../domain/search/citations/citation.ts';
import { type Action, page, type Visit, workspaceOf } from '../page.ts';
import {
  address,
  ago,
  badge,
  changeForm,
  choices,
  citationAddress,
  differenceView,
  emptyState,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
  shell,
} from '../parts/html.ts';
import { link, markdown } from '../parts/text.ts';

const PAGE_SIZE = 50;

export const ledgerPage = page({
  path: '/ledger',
  section: 'ledger',
  title: () => 'Ledger',
  async load(visit: Visit) {
    const { query } = visit;
    const { ledger, clock } = workspaceOf(visit);
    const status = checkedChoice('status', query.get('status') ?? 'active', [...STATUSES, 'all']) ?? 'active';
    const [asOf, tag] = [query.get('as_of') ?? '', query.get('tag') ?? ''];
    const from = Math.max(0, Number.parseInt(query.get('from') ?? '0', 10) || 0);
    const found = await ledger.list({
      ...(status !== 'all' && { statuses: [status] }),
      ...(asOf !== '' && { at: parseMoment(asOf, secondsOf(clock.now())) }),
      ...(tag !== '' && { tags: [tag] }),
      labels: parseSelectors(query.getAll('label')),
      limit: PAGE_SIZE + 1,
      offset: from,
    });
    const entries = found.slice(0, PAGE_SIZE);
    return {
      status,
      asOf,
      tag,
      from,
      hasMore: found.length > PAGE_SIZE,
      entries: entries.map(entryJson),
      found: entries,
    };
  },
  view: ({ status, asOf, tag, from, hasMore, found }, { now }) => {
    const at = (changed: Readonly<Record<string, string>>) =>
      address('/ledger', { status: status === 'active' ? '' : status, as_of: asOf, tag, ...changed });
    return html`
    <div class="top"><h1>Ledger</h1>
      ${choices(
        'Status',
        [...STATUSES, 'all'].map((each) => ({
          text: each,
          to: at({ status: each }),
          isChosen: each === status,
        })),
      )}</div>
    <form class="row" action="/ledger">
      ${hidden('status', status)}
      <label class="row">As of <input type="date" name="as_of" value="${asOf}"></label>
      <label class="row">Tag <input name="tag" value="${tag}" autocomplete="off"></label>
      <button>Filter</button>
    </form>
    ${
      found.length === 0
        ? emptyState(
            'There are no such entries.',
            html`Keep a fact with its source: ${shell('ken k add --title Ports --text "Staging listens on 8443." --provenance file:docs/ports.md#L3')}`,
          )
        : html`<ul class="list" data-items>${found.map((entry) => entryItem(entry, now))}</ul>`
    }
    <p class="row">${from > 0 ? html`<a href="${at({ from: String(Math.max(0, from - PAGE_SIZE)) })}">Newer</a>` : NOTHING}
      ${hasMore ? html`<a href="${at({ from: String(from + PAGE_SIZE) })}">Older</a>` : NOTHING}</p>`;
  },
});

function entryItem(entry: Entry, now: number): Html {
  const { id, title, status, updatedAt, provenance, tags } = entry;
  const isGone = status === 'active' && isExpired(entry, secondsOf(now));
  return html`<li>
    <a class="name" href="${address('/ledger/entry', { id })}">${title}</a>
    <span class="row small quiet">${verdictBadge(worstOf(entry.citations.map(({ verified }) => verified))?.verdict)}
      ${status === 'active' ? NOTHING : badge(status)} ${isGone ? badge('expired', 'alert') : NOTHING} ${tags.map((each) => badge(each))}
      <span class="mono">${provenance}</span> ${ago(updatedAt * 1000, now)}</span>
  </li>`;
}

function verdictBadge(verdict: string | undefined): Html {
  if (verdict === undefined) return badge('not verified');
  return badge(verdict, verdict === 'ok' ? 'accent' : verdict === 'unchecked' ? 'plain' : 'alert');
}

export const entryPage = page({
  path: '/ledger/entry',
  section: 'ledger',
  title: ({ entry }) => entry.title,
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const id = entryId(visit.query.get('id') ?? '');
    const [entry] = await app.ledger.entries([id]);
    if (!entry) throw noEntry(id);
    const versions = await app.ledger.versions(id);
    const events = await app.ledger.events(id);
    const [standing] = await standings({ ...app, isCitationUri }, [entry]);
    const to = version(visit.query.get('to'), versions.length, versions.length);
    const from = version(visit.query.get('from'), versions.length, Math.max(1, to - 1));
    return {
      entry,
      standing: standing ?? 'entry',
      versions: versions.map(versionJson),
      events: events.map((event) => eventJson(event, id)),
      from,
      to,
      difference:
        versions.length > 1
          ? lineDifference(versionText(versions[from - 1]), versionText(versions[to - 1]))
          : null,
    };
  },
  view: (data, visit) => entryView(data, visit),
});

function version(text: string | null, count: number, absent: number): number {
  const number = Number(text ?? absent);
  if (Number.isInteger(number) && number >= 1 && number <= count) return number;
  throw new Fault('ledger/not-found', `There is no version ${text}.`);
}

function versionText(
  shown: { readonly title: string; readonly text: string; readonly status: string } | undefined,
): string {
  return shown ? [`title: ${shown.title}`, `status: ${shown.status}`, '', shown.text].join('\n') : '';
}

interface ShownEntry {
  readonly entry: Entry;
  readonly standing: string;
  readonly versions: readonly ReturnType<typeof versionJson>[];
  readonly from: number;
  readonly to: number;
  readonly difference: string | null;
}

function entryView({ entry, standing, versions, from, to, difference }: ShownEntry, visit: Visit): Html {
  const { now } = visit;
  return html`
    <div class="top"><div><p class="quiet"><a href="/ledger">Ledger</a></p><h1>${entry.title}</h1></div>
      <span class="row">${badge(standing, standing === 'stale' ? 'alert' : 'accent')} ${badge(entry.status)}</span></div>
    <div class="beside">
      <div class="stack">
        ${markdown(entry.text)}
        <section class="stack" aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>
          <ul class="list">${entry.citations.map(
            ({ provenance, verified }) => html`<li><span>${provenanceView(provenance)}</span>
              <span class="row small quiet">${verdictBadge(verified?.verdict)} ${
                verified ? html`checked ${ago(verified.at * 1000, now)}` : NOTHING
              }</span></li>`,
          )}</ul>
          ${entryForms(entry, visit)}
        </section>
        ${difference === null ? NOTHING : versionsView(entry.id, { versions, from, to, difference })}
      </div>
      <aside aria-label="About this entry">${facts([
        { name: 'Id', value: html`<code>${entry.id}</code>` },
        { name: 'Version', value: String(entry.version) },
        { name: 'Created', value: ago(entry.createdAt * 1000, now) },
        { name: 'Updated', value: ago(entry.updatedAt * 1000, now) },
        { name: 'Expires', value: entry.expires === undefined ? undefined : ago(entry.expires * 1000, now) },
        { name: 'Merge key', value: entry.mergeKey },
        { name: 'Claim', value: entry.claimId },
        { name: 'Replaces', value: entryLink(entry.supersedes) },
        { name: 'Replaced by', value: entryLink(entry.supersededBy) },
        { name: 'Tags', value: entry.tags.join(', ') },
        {
          name: 'Feedback',
          value:
            entry.feedback.retrieved > 0
              ? `${entry.feedback.retrieved} retrieved, ${entry.feedback.helped} helped, ${entry.feedback.hurt} hurt`
              : undefined,
        },
      ])}</aside>
    </div>`;
}

function entryLink(id: string | undefined): Html | undefined {
  return id === undefined ? undefined : html`<a href="${address('/ledger/entry', { id })}">${id}</a>`;
}

function provenanceView(provenance: string): Html {
  const text = html`<code>${provenance}</code>`;
  if (provenance.startsWith('ref:ken://'))
    return html`<a href="${citationAddress(provenance.slice(4))}">${text}</a>`;
  return provenance.startsWith('url:') ? link(provenance.slice(4), text) : text;
}

function versionsView(
  id: string,
  { versions, from, to, difference }: Pick<ShownEntry, 'versions' | 'from' | 'to'> & { difference: string },
): Html {
  const options = (chosen: number) =>
    versions.map(
      (each) =>
        html`<option value="${each.version}" ${each.version === chosen ? html`selected` : NOTHING}>${each.version}: ${minuteTime(Number.parseInt(each.updated_at, 10) * 1000)}</option>`,
    );
  return html`<section class="stack" aria-labelledby="versions"><h2 id="versions">Versions</h2>
    <form class="row" action="/ledger/entry">${hidden('id', id)}
      <label class="row">From <select name="from">${options(from)}</select></label>
      <label class="row">to <select name="to">${options(to)}</select></label>
      <button>Compare</button></form>
    ${differenceView(difference)}
  </section>`;
}

function entryForms({ id, status }: Entry, visit: Visit): Html {
  const named = html`${hidden('id', id)}${hidden('back', address('/ledger/entry', { id }))}`;
  const action = status === 'active' ? 'deprecate' : 'restore';
  return html`<div class="row">
    ${changeForm(visit, '/ledger/verify', html`${named}<button>Verify now</button>`)}
    ${changeForm(visit, '/ledger/status', html`${named}${hidden('action', action)}<button>${action === 'deprecate' ? 'Deprecate' : 'Restore'}</button>`)}
  </div>`;
}

export const LEDGER_ACTIONS: readonly Action[] = [
  {
    path: '/ledger/verify',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const id = entryId(form.get('id') ?? '');
      const actor = { name: await app.operator.name(), run: app.ids.ulid() };
      const checked = await verifyEntries({ ...app, isCitationUri }, { ids: [id], fix: false, actor });
      const text = checked.map(({ provenance, verdict }) => `${provenance}: ${verdict}`).join('; ');
      const kind = checked.every(({ verdict }) => verdict === 'ok') ? 'done' : 'problem';
      return {
        to: address('/ledger/entry', { id }),
        notice: { kind, text: text || 'There is no evidence to check.' },
      };
    },
  },
  {
    path: '/ledger/status',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const id = entryId(form.get('id') ?? '');
      const stamp = stampOf(app, { name: await app.operator.name(), run: app.ids.ulid() });
      const action = form.get('action') === 'restore' ? 'restore' : 'deprecate';
      const lifetimes = app.config.knowledge;
      const { status } = await app.ledger.changeStatus({
        id,
        action,
        reason: 'on the page',
        lifetimes,
        stamp,
      });
      return {
        to: address('/ledger/entry', { id }),
        notice: { kind: 'done', text: `The entry is ${status}.` },
      };
    },
  },
];
