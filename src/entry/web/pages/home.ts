import { isInWorkspace } from '../../../app.ts';
import { neutralise } from '../../../base/terminal-text.ts';
import { counted } from '../../../base/text.ts';
import { isoTime, secondsOf } from '../../../base/time.ts';
import { jobStatus } from '../../../domain/approvals/job.ts';
import { type OpenTopic, openTopics } from '../../../domain/knowledge-base/open-topics.ts';
import { offeredKnowledge } from '../../../domain/knowledge-base/topic.ts';
import type { Entry } from '../../../domain/ledger/entry/entry.ts';
import { listTopics, type TopicSummary } from '../../../domain/references/topic/list-topics.ts';
import type { IndexingState } from '../indexing.ts';
import { page, type Visit } from '../page.ts';
import { type Bar, barChart, growthChart, type Point } from '../parts/charts.ts';
import { indexingView } from '../parts/going-on.ts';
import {
  address,
  ago,
  badge,
  changeForm,
  emptyState,
  type Html,
  hidden,
  html,
  NOTHING,
  numeral,
  shell,
} from '../parts/html.ts';

/** Something that changed, for the timeline. */
interface Change {
  readonly at: number;
  readonly part: string;
  readonly title: string;
  readonly to: string;
}

const SHOWN = 5;
const CHANGES = 16;
/** A checkout changes all files at once, which would leave room for nothing else. */
const CHANGED_SUBJECTS = 6;
/** Charts are drawn from this many entries. */
const CHARTED = 1_000;

export const homePage = page({
  path: '/',
  section: 'home',
  title: () => 'Home',
  async load(visit: Visit) {
    const { app, now, place } = visit;
    place.indexing.begin();
    const pending = await app.approvals.list({ statuses: ['pending'] }, now);
    const topics = await listTopics(app, { includeObsolete: false });
    const own = await workspaceParts(visit);
    const jobs = await app.jobs.list({ isRunning: true, limit: SHOWN });
    const running = await Promise.all(
      jobs.map(async (job) => ({
        id: job.id,
        title: job.title,
        status: await jobStatus(app.processWatch, job),
      })),
    );
    const fetched = topics.flatMap(({ topic_id, title, fetched_at }) =>
      fetched_at === null
        ? []
        : [
            {
              at: Date.parse(fetched_at),
              part: 'reference',
              title,
              to: address('/references/topic', { id: topic_id }),
            },
          ],
    );
    const decided = await decisions(visit);
    return {
      indexing: noticed(place.indexing.state(), now),
      pending: pending.slice(0, SHOWN).map(({ id, summary, created }) => ({ id, summary, created })),
      waiting: pending.length,
      jobs: running,
      stale: topics.filter(({ is_stale }) => is_stale).map(({ topic_id, title }) => ({ topic_id, title })),
      counts: { ...own.counts, references: topics.length },
      doubtful: own.doubtful,
      charts: { ...own.charts, ages: agesOf(topics, now) },
      changes: [...own.changes, ...fetched, ...decided].sort((a, b) => b.at - a.at).slice(0, CHANGES),
    };
  },
  view: (data, visit) => html`
    <h1 class="unseen">Home</h1>
    <form class="seek" action="/search" role="search">
      <label class="unseen" for="question">Ask or search everything that ken knows</label>
      <input id="question" name="q" type="search" placeholder="Ask or search everything that ken knows" autofocus autocomplete="off" data-key="/">
      <button class="main">Search</button>
    </form>
    <div id="indexing">${indexingView(data.indexing, visit, { part: 'indexing', text: 'Search finds what is done.' })}</div>
    <div class="overview">
      <section class="stack waits" aria-labelledby="waits"><h2 id="waits">Waits for you</h2>${waitsView(data, visit)}</section>
      <section class="stack lately" aria-labelledby="lately"><h2 id="lately">Changed lately</h2>${changesView(data.changes, visit)}</section>
      <section class="stack known" aria-labelledby="known"><h2 id="known">What ken knows</h2>
        ${numbersView(data.counts)}${chartsView(data.charts)}</section>
    </div>`,
});

/** Looking for what has changed is over at once, unless there is much. */
const NOTICED_MS = 1_000;

function noticed(state: IndexingState | null, now: number): IndexingState | null {
  return state && (state.total > 0 || now - state.began > NOTICED_MS) ? state : null;
}

async function decisions({ app, now }: Visit): Promise<Change[]> {
  const asked = await app.approvals.list({ limit: 2 * CHANGES }, now);
  const summaries = new Map(asked.map(({ id, summary }) => [id, summary]));
  const logged = await app.decisionLog.list(CHANGES);
  return logged.map(({ at, act, subject }) => {
    const summary = summaries.get(subject);
    const to = summary === undefined ? '/approvals?all=1' : address('/approvals/show', { id: subject });
    return { at, part: `decision: ${act}`, title: neutralise(summary ?? subject), to };
  });
}

async function workspaceParts({ app, now }: Visit) {
  if (!isInWorkspace(app))
    return { counts: {}, doubtful: 0, changes: [] as Change[], charts: { growth: [], verdicts: [] } };
  const opened = await openTopics(app, offeredKnowledge(app));
  const count = await app.ledger.count(secondsOf(now));
  const newest = await app.ledger.list({ limit: CHARTED });
  const entries = newest.slice(0, CHANGES);
  const conversations = await app.conversations.list({ labels: [], archived: 'without', local: 'with' });
  const recent = conversations
    .toSorted((a, b) => b.metadata.activeAt - a.metadata.activeAt)
    .slice(0, CHANGES);
  const changes: Change[] = [
    ...changedSubjects(opened),
    ...entries.map(({ id, title, updatedAt }) => ({
      at: updatedAt * 1000,
      part: 'entry',
      title,
      to: address('/ledger/entry', { id }),
    })),
    ...recent.map(({ id, metadata }) => ({
      at: metadata.activeAt,
      part: 'conversation',
      title: metadata.title ?? id,
      to: address('/conversations/show', { id }),
    })),
  ];
  const subjects = opened.reduce((sum, { catalog }) => sum + catalog.reachable.all.length, 0);
  return {
    counts: { subjects, entries: count.active, conversations: conversations.length },
    doubtful: count.doubtful,
    changes,
    charts: { growth: growthOf(newest, count.active), verdicts: verdictsOf(newest, now) },
  };
}

function changedSubjects(opened: readonly OpenTopic[]): Change[] {
  const own = opened.filter(({ topic }) => !topic.isShipped);
  const found = own.flatMap(({ topic, files, catalog }) =>
    catalog.reachable.all.flatMap(({ slug, path }) => {
      const at = files.changedAt?.(path);
      const to = () => address('/kb/subject', { topic: topic.id, slug });
      return at === undefined ? [] : [{ at, title: `${topic.id}/${slug}`, to }];
    }),
  );
  const newest = found.sort((a, b) => b.at - a.at).slice(0, CHANGED_SUBJECTS);
  return newest.map(({ at, title, to }) => ({ at, part: 'subject', title, to: to() }));
}

/** Entries written over time, up to all that there are; from the newest ones alone. */
function growthOf(entries: readonly Entry[], total: number): Point[] {
  const times = entries.map(({ createdAt }) => createdAt * 1000).sort((a, b) => a - b);
  return times.map((at, index) => ({ at, value: Math.max(0, total - times.length) + index + 1 }));
}

/** Evidence that was checked in each of the last weeks, by its verdict. */
function verdictsOf(entries: readonly Entry[], now: number): Bar[] {
  const checked = entries.flatMap(({ citations }) => citations.flatMap(({ verified }) => verified ?? []));
  return Array.from({ length: WEEKS }, (_, at) => {
    const age = WEEKS - 1 - at;
    const inWeek = checked.filter((each) => Math.floor((now - each.at * 1000) / WEEK_MS) === age);
    const good = inWeek.filter(({ verdict }) => verdict === 'ok').length;
    return {
      label: age === 0 ? 'this week' : `${counted(age, 'week')} ago`,
      parts: [
        { kind: 'good', value: good },
        {
          kind: 'bad',
          value: inWeek.filter(({ verdict }) => verdict !== 'ok' && verdict !== 'unchecked').length,
        },
      ],
    };
  });
}

/** Topics by the time since they were fetched. */
function agesOf(topics: readonly TopicSummary[], now: number): Bar[] {
  const days = topics.flatMap(({ fetched_at: at, is_stale: isStale }) =>
    at === null ? [] : [{ days: (now - Date.parse(at)) / DAY_MS, isStale }],
  );
  return AGES.map(({ label, from, to }) => {
    const inside = days.filter((each) => each.days >= from && each.days < to);
    const stale = inside.filter(({ isStale }) => isStale).length;
    return {
      label,
      parts: [
        { kind: 'good', value: inside.length - stale },
        { kind: 'bad', value: stale },
      ],
    };
  });
}

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const WEEKS = 12;
const AGES = [
  { label: 'this week', from: Number.NEGATIVE_INFINITY, to: 7 },
  { label: 'this month', from: 7, to: 30 },
  { label: 'three months', from: 30, to: 90 },
  { label: 'this year', from: 90, to: 365 },
  { label: 'older', from: 365, to: Number.POSITIVE_INFINITY },
];

interface Charts {
  readonly growth: readonly Point[];
  readonly verdicts: readonly Bar[];
  readonly ages: readonly Bar[];
}

function chartsView({ growth, verdicts, ages }: Charts): Html {
  const sum = (bars: readonly Bar[], kind: string) =>
    bars
      .flatMap(({ parts }) => parts)
      .reduce((total, each) => total + (each.kind === kind ? each.value : 0), 0);
  const checked = `in twelve weeks ${sum(verdicts, 'good')} held and ${sum(verdicts, 'bad')} did not`;
  const fetched = `${sum(ages, 'good')} fresh and ${sum(ages, 'bad')} stale, from this week to over a year`;
  return html`<div class="charts">
    ${growthChart('Growth of the ledger', growth, `${numeral(growth.at(-1)?.value ?? 0)} entries`)}
    ${barChart('Evidence checked', verdicts, checked)}
    ${barChart('Ages of references', ages, fetched)}
  </div>`;
}

interface Waiting {
  readonly pending: readonly { readonly id: string; readonly summary: string; readonly created: number }[];
  readonly waiting: number;
  readonly jobs: readonly { readonly title: string; readonly status: string }[];
  readonly stale: readonly { readonly topic_id: string; readonly title: string }[];
  readonly doubtful: number;
}

const NUMBERS = [
  ['subjects', 'subjects', '/kb'],
  ['entries', 'entries', '/ledger'],
  ['references', 'reference topics', '/references'],
  ['conversations', 'conversations', '/conversations'],
] as const;

function numbersView(counts: Readonly<Record<string, number>>): Html {
  const known = NUMBERS.flatMap(([key, text, to]) => {
    const count = counts[key];
    return count === undefined ? [] : [{ count, text, to }];
  });
  return html`<ul class="numbers" aria-labelledby="known">
    ${known.map(
      ({ count, text, to }) =>
        html`<li><a href="${to}"><strong>${numeral(count)}</strong><span class="quiet">${text}</span></a></li>`,
    )}
  </ul>`;
}

function waitsView({ pending, waiting, jobs, stale, doubtful }: Waiting, visit: Visit): Html {
  const { now } = visit;
  if (waiting + jobs.length + stale.length + doubtful === 0)
    return emptyState('Nothing waits, and nothing is stale.', 'Requests of your assistant appear here.');
  return html`<ul class="list" data-items>
    ${pending.map(
      ({ id, summary, created }) => html`<li>
        <a class="name" href="${address('/approvals/show', { id })}">${summary}</a>
        <span class="row">${badge('approval', 'alert')} ${ago(created, now)}</span>
      </li>`,
    )}
    ${waiting > pending.length ? html`<li><a href="/approvals">${waiting - pending.length} more approvals</a></li>` : NOTHING}
    ${jobs.map(
      ({ title, status }) => html`<li><a class="name" href="/jobs">${title}</a>
        <span class="row">${badge(status, 'accent')}</span></li>`,
    )}
    ${stale.map(
      ({
        topic_id,
        title,
      }) => html`<li><a class="name" href="${address('/references/topic', { id: topic_id })}">${title}</a>
        <span class="row">${badge('stale', 'alert')} ${changeForm(visit, '/references/refresh', html`${hidden('id', topic_id)}${hidden('back', '/')}<button class="plain small">Refresh</button>`)}</span></li>`,
    )}
    ${
      doubtful > 0
        ? html`<li><a class="name" href="/ledger">${doubtful} entries with evidence that moved, changed or is missing</a></li>`
        : NOTHING
    }
  </ul>`;
}

const FIRST_STEPS = html`<div class="empty"><p class="missing">Nothing is here yet.</p>
  <p>What you write, ask, fetch and decide appears here. Begin with one of these:</p>
  <ul class="steps">
    <li><a href="/references/new">Fetch the documentation</a> of something that you use, to search it offline.</li>
    <li><a href="/ledger/new">Keep a fact</a> with the source that shows it.</li>
    <li><a href="/kb">Write a subject</a> that your assistant reads.</li>
    <li><a href="/conversations">Ask a question</a>; it is answered also without a language model.</li>
    <li>Connect your assistant with ${shell('ken setup')}.</li>
  </ul></div>`;

const FIRST_STEPS_OUTSIDE = html`<div class="empty"><p class="missing">Nothing is here yet.</p>
  <p>Outside of a workspace the page shows the library and the approvals.</p>
  <ul class="steps">
    <li><a href="/references/new">Fetch the documentation</a> of something that you use, to search it offline.</li>
    <li>Make a workspace with ${shell('ken init')} in a project, and open the page there.</li>
  </ul></div>`;

/** A line through the last days, over all parts. */
function changesView(changes: readonly Change[], { app, now }: Visit): Html {
  if (changes.length === 0) return isInWorkspace(app) ? FIRST_STEPS : FIRST_STEPS_OUTSIDE;
  const days = Map.groupBy(changes, ({ at }) => isoTime(at).slice(0, 10));
  return html`${[...days].map(
    ([day, inside]) =>
      html`<div class="stack day"><h3 class="small quiet">${dayText(day, now)}</h3><ol class="timeline">${inside.map(
        ({ at, part, title, to }) => html`<li>
        <a href="${to}">${title}</a><span class="row small quiet">${part} ${ago(at, now)}</span>
      </li>`,
      )}</ol></div>`,
  )}`;
}

function dayText(day: string, now: number): string {
  const days = Math.round((Date.parse(isoTime(now).slice(0, 10)) - Date.parse(day)) / DAY_MS);
  return days <= 0 ? 'Today' : days === 1 ? 'Yesterday' : day;
}
