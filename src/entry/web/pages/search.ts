import { isInWorkspace } from '../../../app.ts';
import type { Fault } from '../../../base/fault.ts';
import { counted } from '../../../base/text.ts';
import { parseIsoTime } from '../../../base/time.ts';
import type { Envelope, Hit } from '../../../domain/search/engine/hit.ts';
import { strengthOf } from '../../../domain/search/ranking/outcome.ts';
import { searchAsIs } from '../../searched-indexes.ts';
import type { IndexingState } from '../indexing.ts';
import { page, type Visit } from '../page.ts';
import { indexingView } from '../parts/going-on.ts';
import {
  address,
  ago,
  badge,
  citationAddress,
  copyButton,
  emptyState,
  type Html,
  html,
  NOTHING,
} from '../parts/html.ts';
import { marked } from '../parts/text.ts';

/** Facets count among this many hits. */
const SEARCHED = 60;
const SHOWN = 20;
/** For the whole texts of all hits together. */
const TEXT_TOKENS = 30_000;
/** A facet with more values shows the most frequent ones. */
const MOST_VALUES = 8;

/** Values of a hit that a list can be narrowed by. */
const FACETS: readonly { readonly key: string; readonly title: string; of(hit: Hit): readonly string[] }[] = [
  { key: 'part', title: 'Part', of: ({ kind }) => [PARTS[kind]] },
  { key: 'topic', title: 'Topic', of: (hit) => [hit.topic?.title ?? subjectTopic(hit) ?? []].flat() },
  { key: 'label', title: 'Label', of: ({ labels = {} }) => Object.entries(labels).map(labelText) },
  { key: 'freshness', title: 'Freshness', of: ({ freshness }) => [freshness.status] },
  { key: 'trust', title: 'Trust', of: ({ trust }) => [trust.tier] },
];

function labelText([key, value]: [string, string]): string {
  return value === '' ? key : `${key}=${value}`;
}

const PARTS: Readonly<Record<Hit['kind'], string>> = {
  subject: 'knowledge base',
  chunk: 'references',
  entry: 'ledger',
  turn: 'conversations',
};

export const searchPage = page({
  path: '/search',
  section: 'search',
  title: ({ question }) => (question === '' ? 'Search' : question),
  async load({ app, query, signal, place: { indexing }, isUpdate }: Visit) {
    const question = (query.get('q') ?? '').trim();
    const chosen = Object.fromEntries(FACETS.map(({ key }) => [key, query.get(key) ?? '']));
    if (question === '') {
      indexing.begin();
      return { question, chosen, facets: [], envelope: undefined, count: 0, shown: [], indexing: null };
    }
    // A page that only follows the index would keep it busy.
    if (!isUpdate) await indexing.catchUp();
    const asked = { text: question, limit: SEARCHED, labels: [], explain: true, budget: TEXT_TOKENS };
    const envelope = await searchAsIs(
      app,
      isInWorkspace(app) ? asked : { ...asked, sources: ['refs'] },
      indexing.failures(),
      signal,
    );
    const found = envelope.outcome === 'answers' ? envelope.hits : envelope.near_misses;
    const shown = found.filter((hit) =>
      FACETS.every(({ key, of }) => !chosen[key] || of(hit).includes(chosen[key])),
    );
    return {
      question,
      chosen,
      facets: facetsOf(found),
      envelope: described(envelope, indexing.problem()),
      indexing: indexing.state(),
      count: shown.length,
      shown: query.get('more') === '1' ? shown : shown.slice(0, SHOWN),
    };
  },
  view: (data, visit) => html`
    <h1 class="unseen">Search</h1>
    <form class="seek" action="/search" role="search" data-live="results">
      <label class="unseen" for="question">Ask or search everything that ken knows</label>
      <input id="question" name="q" type="search" value="${data.question}" placeholder="Ask or search everything that ken knows" autocomplete="off" data-key="/" ${
        data.question === '' ? html`autofocus` : NOTHING
      }>
      <button class="main">Search</button>
    </form>
    <div id="results" class="stack" aria-live="polite">${resultsView(data, visit)}</div>`,
});

interface Found {
  readonly question: string;
  readonly chosen: Readonly<Record<string, string>>;
  readonly facets: readonly Facet[];
  readonly envelope: Pick<Envelope, 'outcome' | 'unavailable'> | undefined;
  readonly indexing: IndexingState | null;
  readonly count: number;
  readonly shown: readonly Hit[];
}

interface Facet {
  readonly key: string;
  readonly title: string;
  readonly counts: readonly { readonly value: string; readonly count: number }[];
}

function described(
  { outcome, unavailable = [] }: Envelope,
  problem: Fault | undefined,
): Pick<Envelope, 'outcome' | 'unavailable'> {
  const all = [
    ...unavailable,
    ...(problem ? [{ in: 'What is new', message: problem.message, hint: problem.hint ?? '' }] : []),
  ];
  return { outcome, ...(all.length > 0 && { unavailable: all }) };
}

function facetsOf(hits: readonly Hit[]): Facet[] {
  return FACETS.map(({ key, title, of }) => {
    const counts = [...Map.groupBy(hits.flatMap(of), (value) => value)]
      .map(([value, all]) => ({ value, count: all.length }))
      .sort((a, b) => b.count - a.count);
    return { key, title, counts: counts.slice(0, MOST_VALUES) };
  });
}

function subjectTopic({ kind, id }: Hit): string | undefined {
  return kind === 'subject' ? id.split('/', 1)[0] : undefined;
}

function resultsView(found: Found, visit: Visit): Html {
  const { question, chosen, facets, envelope, shown, indexing } = found;
  if (!envelope)
    return emptyState(
      'Type a question or a few words.',
      'Words in quotes must appear together; -word excludes a word. Nothing leaves this machine.',
    );
  const hits = html`<ol class="list hits" data-items>${shown.map((hit) => hitView(hit, question, visit.now))}</ol>`;
  const filling = { part: 'results', text: 'Hits from what is there already follow; more may come.' };
  return html`
    ${indexingView(indexing, visit, filling)}
    ${(envelope.unavailable ?? []).map(
      ({ in: part, message, hint }) =>
        html`<div class="notice problem"><p>${part} could not be searched: ${message}</p><p class="quiet">${hint ?? ''}</p></div>`,
    )}
    ${outcomeView(envelope.outcome, found, indexing !== null)}
    ${shown.length === 0 ? NOTHING : html`<div class="beside">${hits}${facetsView(question, chosen, facets)}</div>`}`;
}

function outcomeView(outcome: Envelope['outcome'], found: Found, isFilling: boolean): Html {
  if (outcome === 'nothing' && isFilling)
    return emptyState('Nothing is found yet.', 'It appears here once it is in the index.');
  if (outcome === 'nothing')
    return emptyState(
      'Nothing here answers this, and nothing is near.',
      html`Try other words, or <a href="/ledger/new">keep what is missing</a>.`,
    );
  if (outcome === 'nearest')
    return html`<div class="notice problem"><p><strong>Nothing answers this${isFilling ? ' yet' : ''}.</strong> The nearest hits follow.</p></div>`;
  return countView(found);
}

function countView({ question, chosen, count, shown }: Found): Html {
  if (count <= shown.length) return html`<p class="quiet small">${counted(count, 'hit')}</p>`;
  const all = address('/search', { q: question, ...chosen, more: '1' });
  return html`<p class="quiet small">The first ${shown.length} of ${count} hits. <a href="${all}">Show all of them</a></p>`;
}

function facetsView(question: string, chosen: Found['chosen'], facets: readonly Facet[]): Html {
  const useful = facets.filter(({ key, counts }) => counts.length > 1 || chosen[key]);
  const at = (changed: Readonly<Record<string, string>>) =>
    address('/search', { q: question, ...chosen, ...changed });
  if (useful.length === 0) return html`<div></div>`;
  return html`<aside class="facets" aria-label="Narrow the hits">${useful.map(
    ({ key, title, counts }) => html`<section><h2>${title}</h2><ul>
      ${counts.map(({ value, count }) => {
        const isChosen = chosen[key] === value;
        return html`<li><a href="${at({ [key]: isChosen ? '' : value })}" ${isChosen ? html`aria-current="true"` : NOTHING}>
          <span>${value}</span> <span class="quiet">${isChosen ? '\u00d7' : count}</span></a></li>`;
      })}
    </ul></section>`,
  )}</aside>`;
}

function hitView(hit: Hit, question: string, now: number): Html {
  const { title, snippet, citation, score, trust, freshness, kind } = hit;
  const place = citation.path === undefined ? citation.uri : `${citation.path}${lineText(citation.lines)}`;
  const seen = freshness.fetched_at ?? freshness.verified_at;
  return html`<li>
    <a class="name" href="${citationAddress(citation.uri, citation.sha256)}">${marked(title, question)}</a>
    <span class="row small quiet"><span class="mono">${place}</span>${
      seen === undefined ? NOTHING : ago(parseIsoTime(seen) ?? now, now)
    }</span>
    <p class="snippet">${marked(snippet, question)}</p>
    <div class="row small">
      ${badge(strengthOf(score), score >= 0.4 ? 'accent' : 'plain')} <span class="quiet">${PARTS[kind]}${
        trust.tier === 'verified' || trust.tier === 'procedural' ? `, ${TIERS[trust.tier]}` : ''
      }</span>
      ${freshness.status === 'current' ? NOTHING : badge(freshness.status, 'alert')}
      ${hit.superseded_by === undefined ? NOTHING : badge('superseded', 'alert')}
      ${contextView(hit, question)} ${whyView(hit)} ${copyButton(citation.uri, 'Copy citation')}
    </div>
  </li>`;
}

const TIERS = { verified: 'verified', procedural: 'a rule' } as const;

function lineText(lines: { readonly first: number; readonly last: number } | undefined): string {
  return lines ? `:${lines.first}` : '';
}

/** The whole chunk that the snippet is from. */
function contextView({ text, snippet, citation }: Hit, question: string): Html {
  if (text === undefined || text.trim() === snippet.trim()) return NOTHING;
  const { path = '', lines } = citation;
  const where = path === '' ? '' : `${path}${lines ? `, lines ${lines.first} to ${lines.last}` : ''}`;
  return html`<details><summary>In context</summary><div class="unfolded">
    <p class="quiet">${where}</p><pre tabindex="0" class="wrapped">${marked(text, question)}</pre></div></details>`;
}

/** The score in words. */
function whyView({ explain }: Hit): Html {
  if (!explain) return NOTHING;
  const found = explain.words.filter(({ part }) => part > 0).map(({ word }) => word);
  const missing = explain.words.filter(({ part }) => part === 0).map(({ word }) => word);
  const percent = Math.round(explain.chance * 100);
  return html`<details><summary>Why here</summary><p class="unfolded">ken takes it for an answer with a chance of ${percent} %.${
    found.length > 0
      ? html` It has the words <strong>${found.join(', ')}</strong>`
      : html` It is near in meaning`
  }${missing.length > 0 ? `; it lacks ${missing.join(', ')}` : ''}.</p></details>`;
}
