/** New reference topics, and the map of the library. */

import { counted } from '../../../../base/text.ts';
import { deny, findApproval } from '../../../../domain/approvals/decide-approval.ts';
import { createTopic, deniedFault } from '../../../../domain/references/lifecycle/create-topic.ts';
import {
  type RequestedSource,
  requestFromJson,
} from '../../../../domain/references/lifecycle/topic-request.ts';
import { fetchLimits } from '../../../../domain/references/tools/reference-tools.ts';
import { isGood } from '../../../../domain/references/topic/library.ts';
import { DEFAULT_MAX_AGE_DAYS, topicId } from '../../../../domain/references/topic/topic.ts';
import { personOf } from '../../../cli/commands/ref/named-topic.ts';
import { type Action, page, type Visit } from '../../page.ts';
import { type Tile, tileMap } from '../../parts/charts.ts';
import {
  address,
  changeForm,
  choices,
  emptyState,
  type Html,
  hidden,
  html,
  NOTHING,
  numeral,
} from '../../parts/html.ts';

export const newReferencePage = page({
  path: '/references/new',
  section: 'references',
  title: () => 'New reference topic',
  async load({ app, query }: Visit) {
    const id = query.get('approval');
    const asked = id === null ? undefined : requestFromJson((await findApproval(app, id)).request);
    const source = asked?.sources[0];
    return {
      approval: asked ? id : null,
      title: asked?.title ?? '',
      git: source?.type === 'git' ? source.url : '',
      ref: source?.type === 'git' ? (source.ref ?? '') : '',
      paths: source?.type === 'git' ? source.paths.join('\n') : '',
      web: (asked?.sources ?? []).flatMap((each) => (each.type === 'web' ? [each.url] : [])).join('\n'),
      tags: asked?.tags.join(', ') ?? '',
      maxAgeDays: asked?.maxAgeDays ?? DEFAULT_MAX_AGE_DAYS,
      /** More repositories than the form has room for stay as they were asked for. */
      others: asked?.sources.slice(1).filter(({ type }) => type === 'git').length ?? 0,
    };
  },
  view: (data, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/references">References</a></p>
      <h1>${data.approval === null ? 'New reference topic' : 'Edit the request'}</h1></div></div>
    <p class="lead">ken looks at the sources, says how much they are, and fetches them once you approve.</p>
    ${data.others > 0 ? html`<div class="notice problem"><p>The request has ${counted(data.others, 'more repository', 'more repositories')}, which this form leaves out.</p></div>` : NOTHING}
    ${changeForm(visit, '/references/create', formFields(data), 'stack')}
    ${visit.canChange ? NOTHING : html`<p>This page is read only.</p>`}`,
});

interface Fields {
  readonly approval: string | null;
  readonly title: string;
  readonly git: string;
  readonly ref: string;
  readonly paths: string;
  readonly web: string;
  readonly tags: string;
  readonly maxAgeDays: number;
}

function formFields(data: Fields): Html {
  const back = address('/references/new', { approval: data.approval ?? '' });
  return html`${hidden('back', back)}${hidden('approval', data.approval ?? '')}
    <label>Title <input name="title" value="${data.title}" required maxlength="200" placeholder="Hono" autocomplete="off"></label>
    <fieldset class="card"><legend>From a git repository</legend>
      <label>Address <input name="git" value="${data.git}" placeholder="https://github.com/honojs/hono" autocomplete="off"></label>
      <label>Branch, tag or commit <input name="ref" value="${data.ref}" placeholder="the default branch" autocomplete="off"></label>
      <label>Only these paths, one a line <textarea name="paths" placeholder="docs/&#10;README.md">${'\n'}${data.paths}</textarea></label>
    </fieldset>
    <fieldset class="card"><legend>From web pages</legend>
      <label>Addresses, one a line <textarea name="web" placeholder="https://fetch.spec.whatwg.org/">${'\n'}${data.web}</textarea></label>
    </fieldset>
    <label>Tags, with commas <input name="tags" value="${data.tags}" autocomplete="off"></label>
    <label>Stale after days; 0 means never <input name="days" type="number" min="0" value="${data.maxAgeDays}"></label>
    <div class="row"><button class="main" data-busy="Looking at the sources\u2026">Look at the sources</button><a href="/references">Cancel</a></div>`;
}

function sourcesIn(form: URLSearchParams): RequestedSource[] {
  const lines = (name: string) =>
    (form.get(name) ?? '')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter(Boolean);
  const [url, ref] = [(form.get('git') ?? '').trim(), (form.get('ref') ?? '').trim()];
  const repository = {
    type: 'git',
    url,
    paths: lines('paths'),
    isTyped: true,
    ...(ref !== '' && { ref }),
  } as const;
  return [
    ...(url === '' ? [] : [repository]),
    ...lines('web').map((each) => ({ type: 'web', url: each }) as const),
  ];
}

const OLD_DAYS = [7, 30, 90, 365] as const;
const DAY_MS = 86_400_000;

export const mapPage = page({
  path: '/references/map',
  section: 'references',
  title: () => 'Map of the library',
  async load({ app, now }: Visit) {
    const topics = (await app.library.list()).filter(isGood);
    const tiles = await Promise.all(
      topics.map(async ({ topic, slug }): Promise<MappedTopic> => {
        const size = (await app.library.lock(slug)).files.reduce((sum, { bytes }) => sum + bytes, 0);
        const days = topic.fetchedAt === undefined ? undefined : Math.floor((now - topic.fetchedAt) / DAY_MS);
        const age = days === undefined ? 4 : (OLD_DAYS.findIndex((limit) => days < limit) + 5) % 5;
        return {
          name: topic.title,
          to: address('/references/topic', { id: topicId(topic) }),
          size,
          age: (days !== undefined && OLD_DAYS.every((limit) => days >= limit) ? 4 : age) as Tile['age'],
          words: `${numeral(size)} bytes, ${days === undefined ? 'age unknown' : `${counted(days, 'day')} old`}`,
          days: days ?? null,
        };
      }),
    );
    return { tiles: tiles.sort((a, b) => b.size - a.size) };
  },
  view: ({ tiles }) => html`
    <div class="top"><div><p class="quiet"><a href="/references">References</a></p><h1>Map of the library</h1></div>${viewChoices('map')}</div>
    ${
      tiles.length === 0
        ? emptyState('The library is empty.', html`<a href="/references/new">Fetch a first topic</a>`)
        : html`<p class="quiet">Areas are sizes; colours are ages, from fetched this week to over a year.</p>
          ${tileMap('Topics by size and age', tiles)}
          <ul class="choices" aria-label="Ages">${['this week', 'this month', 'three months', 'this year', 'older'].map((text, at) => html`<li><span class="badge age-${at}">${text}</span></li>`)}</ul>
          ${sizesView(tiles)}`
    }`,
});

interface MappedTopic extends Tile {
  /** Null where it is not known when the topic was fetched. */
  readonly days: number | null;
}

/** The same as the map in numbers, for tiles that are too small to have a name. */
function sizesView(topics: readonly MappedTopic[]): Html {
  return html`<div class="wide" tabindex="0"><table class="sizes"><thead><tr><th>Topic</th><th class="number">Bytes</th><th class="number">Days old</th></tr></thead>
    <tbody>${topics.map(
      ({ name, to, size, days }) =>
        html`<tr><td><a href="${to}">${name}</a></td><td class="number">${numeral(size)}</td><td class="number">${days === null ? 'unknown' : numeral(days)}</td></tr>`,
    )}</tbody></table></div>`;
}

export function viewChoices(chosen: 'cards' | 'map'): Html {
  return choices('How the library is shown', [
    { text: 'Cards', to: '/references', isChosen: chosen === 'cards' },
    { text: 'Map', to: '/references/map', isChosen: chosen === 'map' },
  ]);
}

export const TOPIC_ACTIONS: readonly Action[] = [
  {
    path: '/references/create',
    // A survey contacts hosts, which is the operator's to decide.
    decides: true,
    async run({ app, place, signal }, form) {
      const title = form.get('title') ?? '';
      const warnings: string[] = [];
      const input = {
        topic: {
          title,
          sources: sourcesIn(form),
          tags: (form.get('tags') ?? '').split(','),
          maxAgeDays: Number(form.get('days') ?? DEFAULT_MAX_AGE_DAYS),
          createdBy: personOf(app),
          limits: fetchLimits(app.config.references),
        },
        workspace: app.workspace?.root,
        actor: 'the page',
        surveysFirst: true,
        onWarning: (text: string) => void warnings.push(`${text}.`),
      };
      const outcome = await createTopic(app, input, AbortSignal.any([signal, place.signal]));
      if (outcome.kind === 'denied') throw deniedFault(title);
      if (outcome.kind === 'created')
        return { to: '/references', notice: { kind: 'done', text: `${title} is in the library.` } };
      const edited = form.get('approval') ?? '';
      if (edited !== '' && edited !== outcome.approval.id)
        await deny(app, { approval: await findApproval(app, edited), by: await app.operator.name() });
      const to = address('/approvals/show', { id: outcome.approval.id });
      return warnings.length === 0 ? { to } : { to, notice: { kind: 'problem', text: warnings.join(' ') } };
    },
  },
];
