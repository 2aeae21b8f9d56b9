import { isInWorkspace } from '../../../app.ts';
import { counted } from '../../../base/text.ts';
import { parseIsoTime } from '../../../base/time.ts';
import { parseSelectors } from '../../../domain/labels/parse-selector.ts';
import type { Envelope, Hit } from '../../../domain/search/engine/hit.ts';
import { strengthOf } from '../../../domain/search/ranking/outcome.ts';
import { searchApp } from '../../searched-indexes.ts';
import { page, type Visit } from '../page.ts';
import {
  address,
  ago,
  badge,
  choices,
  citationAddress,
  emptyState,
  type Html,
  html,
  NOTHING,
} from '../parts/html.ts';
import { marked } from '../parts/text.ts';

/** Facets count among this many hits. */
const SEARCHED = 60;
const SHOWN = 20;

/** Values of a hit that a list can be narrowed by. */
const FACETS: readonly { readonly key: string; readonly title: string; of(hit: Hit): string | undefined }[] =
  [
    { key: 'part', title: 'Part', of: ({ kind }) => PARTS[kind] },
    { key: 'topic', title: 'Topic', of: (hit) => hit.topic?.title ?? subjectTopic(hit) },
    { key: 'freshness', title: 'Freshness', of: ({ freshness }) => freshness.status },
    { key: 'trust', title: 'Trust', of: ({ trust }) => trust.tier },
  ];

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
  async load({ app, query, signal }: Visit) {
    const question = (query.get('q') ?? '').trim();
    const chosen = Object.fromEntries(FACETS.map(({ key }) => [key, query.get(key) ?? '']));
    if (question === '') return { question, chosen, facets: [], envelope: undefined, shown: [] };
    const asked = {
      text: question,
      limit: SEARCHED,
      labels: parseSelectors(query.getAll('label')),
      explain: true,
    };
    const envelope = await searchApp(
      app,
      isInWorkspace(app) ? asked : { ...asked, sources: ['refs'] },
      signal,
    );
    const found = envelope.outcome === 'answers' ? envelope.hits : envelope.near_misses;
    const shown = found.filter((hit) =>
      FACETS.every(({ key, of }) => !chosen[key] || of(hit) === chosen[key]),
    );
    return {
      question,
      chosen,
      facets: facetsOf(found),
      envelope: described(envelope),
      shown: shown.slice(0, SHOWN),
    };
  },
  view: (data, visit) => html`
    <h1 class="unseen">Search</h1>
    <form class="seek" action="/search" role="search">
      <label class="unseen" for="question">Ask or search everything that ken knows</label>
      <input id="question" name="q" type="search" value="${data.question}" placeholder="Ask or search everything that ken knows" autocomplete="off" data-key="/" data-live="results" ${
        data.question === '' ? html`autofocus` : NOTHING
      }>
      <button class="main">Search</button>
    </form>
    <div id="results" class="stack" aria-live="polite">${resultsView(data, visit.now)}</div>`,
});

interface Found {
  readonly question: string;
  readonly chosen: Readonly<Record<string, string>>;
  readonly facets: readonly Facet[];
  readonly envelope: Pick<Envelope, 'outcome' | 'unavailable'> | undefined;
  readonly shown: readonly Hit[];
}

interface Facet {
  readonly key: string;
  readonly title: string;
  readonly counts: readonly { readonly value: string; readonly count: number }[];
}

function described({ outcome, unavailable }: Envelope): Pick<Envelope, 'outcome' | 'unavailable'> {
  return { outcome, ...(unavailable && { unavailable }) };
}

function facetsOf(hits: readonly Hit[]): Facet[] {
  return FACETS.map(({ key, title, of }) => {
    const counts = Map.groupBy(
      hits.flatMap((hit) => of(hit) ?? []),
      (value) => value,
    );
    return { key, title, counts: [...counts].map(([value, all]) => ({ value, count: all.length })) };
  });
}

function subjectTopic({ kind, id }: Hit): string | undefined {
  return kind === 'subject' ? id.split('/', 1)[0] : undefined;
}

function resultsView({ question, chosen, facets, envelope, shown }: Found, now: number): Html {
  if (!envelope)
    return emptyState(
      'Type a question or a few words.',
      'Words in quotes must appear together; -word excludes a word. Nothing leaves this machine.',
    );
  return html`
    ${(envelope.unavailable ?? []).map(
      ({ in: part, message, hint }) =>
        html`<div class="notice problem"><p>${part} could not be searched: ${message}</p><p class="quiet">${hint ?? ''}</p></div>`,
    )}
    ${outcomeView(envelope.outcome, shown.length)}
    ${facetsView(question, chosen, facets)}
    <ol class="list" data-items>${shown.map((hit) => hitView(hit, question, now))}</ol>`;
}

function outcomeView(outcome: Envelope['outcome'], count: number): Html {
  if (outcome === 'nothing')
    return emptyState(
      'Nothing here answers this, and nothing is near.',
      'Try other words, or add what is missing.',
    );
  if (outcome === 'nearest')
    return html`<div class="notice problem"><p><strong>Nothing answers this.</strong> The nearest hits follow.</p></div>`;
  return html`<p class="quiet small">${counted(count, 'hit')}</p>`;
}

function facetsView(question: string, chosen: Found['chosen'], facets: readonly Facet[]): Html {
  const useful = facets.filter(({ key, counts }) => counts.length > 1 || chosen[key]);
  const at = (changed: Readonly<Record<string, string>>) =>
    address('/search', { q: question, ...chosen, ...changed });
  return html`${useful.map(({ key, title, counts }) =>
    choices(title, [
      { text: `${title}: all`, to: at({ [key]: '' }), isChosen: !chosen[key] },
      ...counts.map(({ value, count }) => ({
        text: `${value} ${count}`,
        to: at({ [key]: value }),
        isChosen: chosen[key] === value,
      })),
    ]),
  )}`;
}

function hitView(hit: Hit, question: string, now: number): Html {
  const { title, snippet, citation, score, trust, freshness } = hit;
  const place = citation.path === undefined ? citation.uri : `${citation.path}${lineText(citation.lines)}`;
  const seen = freshness.fetched_at ?? freshness.verified_at;
  return html`<li>
    <a class="name" href="${citationAddress(citation.uri, citation.sha256)}">${marked(title, question)}</a>
    <span class="row small quiet"><span class="mono">${place}</span>${
      seen === undefined ? NOTHING : ago(parseIsoTime(seen) ?? now, now)
    }</span>
    <p class="snippet">${marked(snippet, question)}</p>
    <span class="row">
      ${badge(strengthOf(score), score >= 0.4 ? 'accent' : 'plain')} ${badge(PARTS[hit.kind])} ${badge(trust.tier)}
      ${freshness.status === 'current' ? NOTHING : badge(freshness.status, 'alert')}
      ${hit.superseded_by === undefined ? NOTHING : badge('superseded', 'alert')}
    </span>
    ${whyView(hit)}
  </li>`;
}

function lineText(lines: { readonly first: number; readonly last: number } | undefined): string {
  return lines ? `:${lines.first}` : '';
}

/** The score in words. */
function whyView({ explain, citation }: Hit): Html {
  if (!explain) return NOTHING;
  const found = explain.words.filter(({ part }) => part > 0).map(({ word }) => word);
  const missing = explain.words.filter(({ part }) => part === 0).map(({ word }) => word);
  const percent = Math.round(explain.chance * 100);
  return html`<details class="small"><summary>Why here</summary>
    <p>ken takes it for an answer with a chance of ${percent} %.${
      found.length > 0
        ? html` It has the words <strong>${found.join(', ')}</strong>`
        : html` It is near in meaning`
    }${missing.length > 0 ? `; it lacks ${missing.join(', ')}` : ''}.</p>
    <p>Citation: <code data-copy>${citation.uri}</code></p>
  </details>`;
}
