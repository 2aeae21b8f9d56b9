/** One entry of the ledger: its text, evidence, versions and neighbours. */

import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { lineDifference } from '../../../../base/line-difference.ts';
import { counted } from '../../../../base/text.ts';
import { minuteTime, secondsOf } from '../../../../base/time.ts';
import { type Entry, type EntryVersion, entryId } from '../../../../domain/ledger/entry/entry.ts';
import { eventJson, versionJson } from '../../../../domain/ledger/entry/entry-json.ts';
import { isTold } from '../../../../domain/ledger/entry/provenance.ts';
import { claimJson } from '../../../../domain/ledger/entry/stated-claim.ts';
import { noEntry } from '../../../../domain/ledger/plans/plan-status.ts';
import { standings } from '../../../../domain/ledger/search/current-entries.ts';
import { isCitationUri } from '../../../../domain/search/citations/citation.ts';
import { page, type Visit, workspaceOf } from '../../page.ts';
import {
  address,
  ago,
  badge,
  changeForm,
  citationAddress,
  differenceView,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
} from '../../parts/html.ts';
import { link, markdown } from '../../parts/text.ts';
import { type Evidence, evidenceOf } from './entry-evidence.ts';
import { neighbourhood, neighboursView } from './entry-graph.ts';
import { verdictBadge, visibilityBadge } from './ledger.ts';

export const entryPage = page({
  path: '/ledger/entry',
  section: 'ledger',
  title: ({ entry }) => entry.title,
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const id = entryId(visit.query.get('id') ?? '');
    const [entry] = await app.ledger.entries([id]);
    if (!entry) throw noEntry(id);
    const events = await app.ledger.events(id);
    const [standing] = await standings({ ...app, isCitationUri }, [entry]);
    const claim = await claimOf(app, entry);
    return {
      entry,
      claim: claim ? claimJson(claim) : null,
      standing: standing ?? 'entry',
      evidence: await evidenceOf(app, entry),
      ...(await comparedVersions(app, id, visit.query)),
      events: events.map((event) => eventJson(event, id)),
      graph: await neighbourhood(app, entry),
    };
  },
  view: (data, visit) => entryView(data, visit),
});

async function claimOf({ ledger, clock }: WorkspaceApp, { claimId }: Entry) {
  if (claimId === undefined) return undefined;
  const [claim] = await ledger.claims(secondsOf(clock.now()), [claimId]);
  return claim;
}

async function comparedVersions({ ledger }: WorkspaceApp, id: string, query: URLSearchParams) {
  const all = await ledger.versions(id);
  const to = chosen(query.get('to'), all.length, all.length);
  const from = chosen(query.get('from'), all.length, Math.max(1, to - 1));
  const difference =
    all.length > 1 ? lineDifference(versionText(all[from - 1]), versionText(all[to - 1])) : null;
  return { versions: all.map(versionJson), from, to, difference };
}

function chosen(text: string | null, count: number, absent: number): number {
  const number = Number(text ?? absent);
  if (Number.isInteger(number) && number >= 1 && number <= count) return number;
  throw new Fault('ledger/not-found', `There is no version ${text}.`);
}

function versionText(shown: EntryVersion | undefined): string {
  return shown ? [`title: ${shown.title}`, `status: ${shown.status}`, '', shown.text].join('\n') : '';
}

interface ShownEntry {
  readonly entry: Entry;
  readonly claim: ReturnType<typeof claimJson> | null;
  readonly standing: string;
  readonly evidence: readonly Evidence[];
  readonly versions: readonly ReturnType<typeof versionJson>[];
  readonly from: number;
  readonly to: number;
  readonly difference: string | null;
  readonly graph: Awaited<ReturnType<typeof neighbourhood>>;
}

function entryView({ entry, claim, standing, evidence, graph, ...compared }: ShownEntry, visit: Visit): Html {
  const { now } = visit;
  return html`
    <div class="top"><div><p class="quiet"><a href="/ledger">Ledger</a></p><h1>${entry.title}</h1></div>
      <span class="row">${visibilityBadge(entry)} ${badge(standing, standing === 'stale' ? 'alert' : 'accent')} ${entry.status === standing ? NOTHING : badge(entry.status)}</span></div>
    <div class="beside">
      <div class="stack">
        ${markdown(entry.text)}
        ${claim === null ? NOTHING : claimView(entry, claim)}
        ${actionsView(entry, visit)}
        <section class="stack" aria-labelledby="evidence"><h2 id="evidence">Evidence</h2>
          <ul class="list">${evidence.map((each) => evidenceView(each, now))}</ul>
        </section>
        ${versionsView(entry.id, compared, now)}
      </div>
      <aside aria-label="About this entry">${entryFacts(entry, now)}</aside>
    </div>
    ${neighboursView(graph)}`;
}

function claimView(
  { claimStance }: Entry,
  { id, text, supports, contradicts }: ReturnType<typeof claimJson>,
): Html {
  const side = {
    supports: 'Supports the claim',
    contradicts: 'Contradicts the claim',
    none: 'About the claim',
  };
  return html`<section class="stack" aria-labelledby="claim"><h2 id="claim">${side[claimStance ?? 'none']} <code>${id}</code></h2>
    ${text === null ? html`<p class="quiet">Nobody has stated it.</p>` : html`<blockquote>${text}</blockquote>`}
    <p class="small quiet">${counted(supports, 'entry supports it', 'entries support it')}, ${counted(contradicts, 'contradicts it', 'contradict it')}.</p>
  </section>`;
}

function entryFacts(entry: Entry, now: number): Html {
  const { feedback } = entry;
  return facts([
    { name: 'Id', value: html`<code>${entry.id}</code>` },
    { name: 'Version', value: String(entry.version) },
    { name: 'Created', value: ago(entry.createdAt * 1000, now) },
    { name: 'Updated', value: ago(entry.updatedAt * 1000, now) },
    { name: 'Expires', value: entry.expires === undefined ? undefined : ago(entry.expires * 1000, now) },
    { name: 'Merge key', value: entry.mergeKey },
    { name: 'Replaces', value: entryLink(entry.supersedes) },
    { name: 'Replaced by', value: entryLink(entry.supersededBy) },
    { name: 'Tags', value: entry.tags.join(', ') },
    {
      name: 'Feedback',
      value:
        feedback.retrieved > 0
          ? `${feedback.retrieved} retrieved, ${feedback.helped} helped, ${feedback.hurt} hurt`
          : undefined,
    },
  ]);
}

function entryLink(id: string | undefined): Html | undefined {
  return id === undefined ? undefined : html`<a href="${address('/ledger/entry', { id })}">${id}</a>`;
}

export function evidenceView(
  { provenance, verdict, checkedAt, firstLine, text, change }: Evidence,
  now: number,
): Html {
  const lines = text?.split('\n') ?? [];
  return html`<li><span>${provenanceView(provenance)}</span>
    <span class="row small quiet">${verdictBadge(verdict ?? undefined)} ${
      checkedAt === null ? NOTHING : html`checked ${ago(checkedAt, now)}`
    }</span>
    ${change === null ? NOTHING : differenceView(change)}
    ${
      text === null || change !== null
        ? NOTHING
        : html`<pre class="lines" tabindex="0" aria-label="The cited lines">${lines.map(
            (line, at) => html`<span><b aria-hidden="true">${firstLine + at}</b>${line}${'\n'}</span>`,
          )}</pre>`
    }</li>`;
}

function provenanceView(provenance: string): Html {
  const text = html`<code>${provenance}</code>`;
  if (provenance.startsWith('ref:ken://'))
    return html`<a href="${citationAddress(provenance.slice(4))}">${text}</a>`;
  return provenance.startsWith('url:') ? link(provenance.slice(4), text) : text;
}

/** The versions as a line through time; each leads to what it changed. */
function versionsView(
  id: string,
  { versions, from, to, difference }: Pick<ShownEntry, 'versions' | 'from' | 'to' | 'difference'>,
  now: number,
): Html {
  if (difference === null) return NOTHING;
  const at = (epoch: string) => Number.parseInt(epoch, 10) * 1000;
  const options = (chosenOne: number) =>
    versions.map(
      (each) =>
        html`<option value="${each.version}" ${each.version === chosenOne ? html`selected` : NOTHING}>${each.version}: ${minuteTime(at(each.updated_at))}</option>`,
    );
  return html`<section class="stack" aria-labelledby="versions"><h2 id="versions">Versions</h2>
    <ol class="timeline">${versions.toReversed().map(({ version, title, status, updated_at }) => {
      const isShown = version === to;
      const change = address('/ledger/entry', {
        id,
        from: String(Math.max(1, version - 1)),
        to: String(version),
      });
      return html`<li><a href="${change}#versions" ${isShown ? html`aria-current="true"` : NOTHING}>${version}: ${title}</a>
        <span class="row small quiet">${status === 'active' ? NOTHING : badge(status)} ${ago(at(updated_at), now)}</span></li>`;
    })}</ol>
    <form class="row" action="/ledger/entry#versions">${hidden('id', id)}
      <label class="row">From <select name="from">${options(from)}</select></label>
      <label class="row">to <select name="to">${options(to)}</select></label>
      <button>Compare</button></form>
    ${differenceView(difference)}
  </section>`;
}

function actionsView(entry: Entry, visit: Visit): Html {
  if (!visit.canChange) return NOTHING;
  const { id, status, mergeKey, provenance, isClaim, visibility } = entry;
  const named = html`${hidden('id', id)}${hidden('back', address('/ledger/entry', { id }))}`;
  const action = status === 'active' ? 'deprecate' : 'restore';
  return html`<div class="row">
    ${changeForm(visit, '/ledger/verify', html`${named}<button>Verify now</button>`)}
    <a class="button" href="${address('/ledger/new', { edit: id })}">Edit</a>
    ${mergeKey === undefined || visibility !== undefined ? NOTHING : html`<a class="button" href="${address('/ledger/new', { replace: id })}">Replace</a>`}
    ${visibility === 'me' ? NOTHING : html`<a class="button" href="${address('/ledger/promote', { id })}">Make it a rule</a>`}
    ${visit.place.isOfTeam && status === 'active' && visibility !== 'team' ? changeForm(visit, '/ledger/move', html`${named}<button>${visibility === 'me' ? 'Propose to the workspace' : 'Propose to the whole team'}</button>`) : NOTHING}
    ${isClaim || isTold(provenance) ? changeForm(visit, '/ledger/confirm', html`${named}<button>Confirm</button>`) : NOTHING}
    ${changeForm(visit, '/ledger/status', html`${named}${hidden('action', action)}<button>${action === 'deprecate' ? 'Deprecate' : 'Restore'}</button>`)}
  </div>`;
}
