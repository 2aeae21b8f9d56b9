import { counted, linesOf } from '../../../../base/text.ts';
import { parseIsoTime } from '../../../../base/time.ts';
import { undoUpdate, updateTopic } from '../../../../domain/references/lifecycle/update-topic.ts';
import { requireTopic } from '../../../../domain/references/topic/find-topic.ts';
import { isGood } from '../../../../domain/references/topic/library.ts';
import {
  listTopics,
  type TopicSummary,
  topicSummary,
} from '../../../../domain/references/topic/list-topics.ts';
import { addressOf, topicId } from '../../../../domain/references/topic/topic.ts';
import { formatCitation } from '../../../../domain/search/citations/citation.ts';
import { personOf } from '../../../cli/commands/ref/named-topic.ts';
import { type Action, page, type Visit } from '../../page.ts';
import { indexingView } from '../../parts/going-on.ts';
import {
  address,
  ago,
  badge,
  brokenPath,
  changeForm,
  citationAddress,
  emptyState,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
  numeral,
  shell,
} from '../../parts/html.ts';
import { link, markdown } from '../../parts/text.ts';
import { viewChoices } from './reference-new.ts';
import { refreshIn, refreshView } from './reference-refresh.ts';

export const referencesPage = page({
  path: '/references',
  section: 'references',
  title: () => 'References',
  async load({ app }: Visit) {
    const topics = await listTopics(app, { includeObsolete: true });
    const broken = (await app.library.list()).filter((kept) => !isGood(kept));
    return {
      topics,
      broken: broken.map((kept) => ({ id: topicId(kept), problem: 'problem' in kept ? kept.problem : '' })),
    };
  },
  view: ({ topics, broken }, visit) => html`
    <div class="top"><div><h1>References</h1><p class="quiet">${counted(topics.length, 'topic')}, ${visit.place.isOfTeam ? 'of the team' : 'shared by all your workspaces'}</p></div>
      <span class="row">${viewChoices('cards')}${visit.canChange ? html`<a class="button main" href="/references/new">New topic</a>` : NOTHING}</span></div>
    ${broken.map(({ id, problem }) => html`<div class="notice problem"><p>${id} is broken: ${problem}.</p></div>`)}
    ${
      topics.length === 0
        ? emptyState(
            'The library is empty.',
            visit.place.isOfTeam
              ? html`Share one with ${shell('ken team push --topic topic-…')}.`
              : html`Documentation that is fetched once can be searched, quoted and cited without a network. ${
                  visit.canChange
                    ? html`<a href="/references/new">Fetch a first topic</a>, or use ${shell('ken ref create')}.`
                    : html`Fetch a first topic with ${shell('ken ref create')}.`
                }`,
          )
        : html`<ul class="cards" data-items>${topics.map((topic) => cardView(topic, visit.now))}</ul>`
    }`,
});

function cardView(
  { topic_id, title, fetched_at, file_count, source_count, tags, ...topic }: TopicSummary,
  now: number,
): Html {
  const at = fetched_at === null ? undefined : parseIsoTime(fetched_at);
  return html`<li class="card">
    <a class="name" href="${address('/references/topic', { id: topic_id })}"><strong>${title}</strong></a>
    <span class="row">${freshnessBadge(topic.status)} ${tags.map((tag) => badge(tag))}</span>
    <span class="small quiet">${counted(file_count, 'file')} from ${counted(source_count, 'source')}${
      at === undefined ? NOTHING : html`, fetched ${ago(at, now)}`
    }</span>
  </li>`;
}

function freshnessBadge(status: TopicSummary['status']): Html {
  return badge(status === 'active' ? 'fresh' : status, status === 'active' ? 'accent' : 'alert');
}

const MOST_FILES = 2_000;

export const referencePage = page({
  path: '/references/topic',
  section: 'references',
  title: ({ summary }) => summary.title,
  async load(visit: Visit) {
    const { app, query, now } = visit;
    const { topic, slug } = await requireTopic(app, query.get('id') ?? '');
    const { files } = await app.library.lock(slug);
    return {
      indexing: visit.place.indexing.state(),
      summary: topicSummary(topic, now),
      body: topic.body,
      approvedBy: topic.approvedBy ?? null,
      sources: topic.sources.map((source) => ({
        type: source.type,
        address: addressOf(source),
        commit: source.type === 'git' ? (source.commit ?? null) : null,
      })),
      changes: topic.changes.length,
      refresh: refreshIn(visit),
      fileCount: files.length,
      files: files.slice(0, MOST_FILES).map(({ path, bytes, commit, sha256 }) => ({
        path,
        bytes,
        uri: formatCitation({
          kind: 'reference',
          topicId: topicId(topic),
          version: commit ?? sha256.slice(0, 12),
          path,
        }),
      })),
    };
  },
  view: (data, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/references">References</a></p><h1>${data.summary.title}</h1></div>
      ${freshnessBadge(data.summary.status)}</div>
    <div id="indexing">${indexingView(data.indexing, visit, { part: 'indexing', text: 'Search may not find all of its files yet.' })}</div>
    <div class="beside">
      <div class="stack">
        ${linesOf(data.body).length === 0 ? NOTHING : markdown(data.body)}
        ${topicForms(data.summary, data.changes, visit)}
        ${data.refresh === null ? NOTHING : refreshView(data.refresh)}
        <h2>${counted(data.fileCount, 'file')}</h2>
        ${filesView(data.files)}
      </div>
      <aside aria-label="About this topic">${facts([
        { name: 'Id', value: html`<code>${data.summary.topic_id}</code>` },
        { name: 'Fetched', value: timeOf(data.summary.fetched_at, visit.now) },
        {
          name: 'Stale after',
          value: data.summary.max_age_days === 0 ? 'never' : counted(data.summary.max_age_days, 'day'),
        },
        { name: 'Created by', value: data.summary.created_by_ghost },
        { name: 'Approved by', value: data.approvedBy?.operator },
        ...data.sources.map((source) => ({
          name: source.type,
          value: html`${link(source.address, brokenPath(source.address))}${
            source.commit === null ? NOTHING : html`<br><code>${source.commit.slice(0, 12)}</code>`
          }`,
        })),
      ])}</aside>
    </div>`,
});

function timeOf(text: string | null, now: number): Html | undefined {
  const at = text === null ? undefined : parseIsoTime(text);
  return at === undefined ? undefined : ago(at, now);
}

interface ListedFile {
  readonly path: string;
  readonly bytes: number;
  readonly uri: string;
}

const FEW_FILES = 60;

/** Files as a tree of directories that open; a short one is open. */
function filesView(files: readonly ListedFile[], start = 0): Html {
  const isOpen = start === 0 ? files.length <= FEW_FILES : files.length <= FEW_FILES / 4;
  const here = files.filter(({ path }) => !path.slice(start).includes('/'));
  const below = Map.groupBy(
    files.filter(({ path }) => path.slice(start).includes('/')),
    ({ path }) => path.slice(start, path.indexOf('/', start) + 1),
  );
  return html`<ul class="tree">${[...below].map(
    ([
      folder,
      inside,
    ]) => html`<li><details ${isOpen || below.size + here.length === 1 ? html`open` : NOTHING}><summary><code>${folder}</code> <span class="small quiet">${numeral(inside.length)}</span></summary>
      ${filesView(inside, start + folder.length)}</details></li>`,
  )}${here.map(
    ({ path, bytes, uri }) => html`<li class="file"><a href="${citationAddress(uri)}">${path.slice(start)}</a>
      <span class="small quiet">${numeral(bytes)} bytes</span></li>`,
  )}</ul>`;
}

function topicForms({ topic_id, status }: TopicSummary, changes: number, visit: Visit): Html {
  const named = html`${hidden('id', topic_id)}${hidden('back', address('/references/topic', { id: topic_id }))}`;
  const next = status === 'obsolete' ? 'active' : 'obsolete';
  return html`<div class="row">
    ${changeForm(visit, '/references/preview', html`${named}<button data-busy="Looking\u2026">Look for changes</button>`)}
    ${changeForm(visit, '/references/refresh', html`${named}<button data-busy="Refreshing\u2026">Refresh</button>`)}
    ${changeForm(visit, '/references/status', html`${named}${hidden('status', next)}<button>Mark ${next}</button>`)}
    ${changes === 0 ? NOTHING : changeForm(visit, '/references/undo', html`${named}<button>Undo the last change</button>`)}
    ${changeForm(visit, '/references/delete', html`${named}<button class="danger">Delete</button>`)}
  </div>`;
}

export const REFERENCE_ACTIONS: readonly Action[] = [
  {
    path: '/references/status',
    async run({ app }, form) {
      const topic = form.get('id') ?? '';
      const { status } = await updateTopic(app, {
        topic,
        by: personOf(app),
        patch: { status: form.get('status') ?? '' },
      });
      const notice = { kind: 'done', text: `The topic is ${status}.`, hint: 'Undo takes it back.' } as const;
      return { to: address('/references/topic', { id: topic }), notice };
    },
  },
  {
    path: '/references/undo',
    async run({ app }, form) {
      const topic = form.get('id') ?? '';
      await undoUpdate(app, { topic, by: personOf(app) });
      return {
        to: address('/references/topic', { id: topic }),
        notice: { kind: 'done', text: 'The last change is undone.' },
      };
    },
  },
];
