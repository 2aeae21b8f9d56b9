/** The sections of `ken status`. Each loads the code that it needs when it is read. */

import type { App, WorkspaceApp } from '../../app.ts';
import type { JsonObject } from '../../base/json.ts';
import { counted } from '../../base/text.ts';
import { elapsed, minuteTime, secondsOf } from '../../base/time.ts';
import type { Job, JobStatus } from '../../domain/approvals/job.ts';

export interface Section {
  /** `snake_case`; its key in the JSON output. */
  readonly id: string;
  readonly title: string;
  /** Undefined: no line is printed. May throw: the other sections are still shown. */
  readonly read: (app: WorkspaceApp) => Promise<SectionContent | undefined>;
}

export interface SectionContent {
  /** Few, since the whole status fits on one screen. */
  readonly lines: readonly string[];
  readonly data: JsonObject;
}

/** In the order of the screen. */
export const SECTIONS: readonly Section[] = [
  { id: 'workspace', title: 'Workspace', read: readWorkspace },
  { id: 'knowledge_base', title: 'Knowledge base', read: readKnowledgeBase },
  { id: 'ledger', title: 'Ledger', read: readLedger },
  { id: 'references', title: 'References', read: readReferences },
  { id: 'conversations', title: 'Conversations', read: readConversations },
  { id: 'trust', title: 'Trust', read: readTrust },
  { id: 'approvals', title: 'Approvals', read: readApprovals },
];

/** Number of topics, approvals or jobs that are listed; others are counted. */
const SHOWN = 5;

async function readWorkspace({ workspace, settings }: WorkspaceApp): Promise<SectionContent> {
  const files = settings.files.map(({ file }) => file);
  return {
    lines: [workspace.root, counted(files.length, 'config file')],
    data: { root: workspace.root, config_files: files },
  };
}

async function readKnowledgeBase(app: WorkspaceApp): Promise<SectionContent | undefined> {
  const { openTopics } = await import('../../domain/knowledge-base/open-topics.ts');
  const { offeredKnowledge } = await import('../../domain/knowledge-base/topic.ts');
  const opened = await openTopics(app, offeredKnowledge(app));
  if (opened.length === 0) return undefined;
  const topics = opened.map(({ topic, catalog }) => {
    const subjects = catalog.reachable.all.filter(({ hidden }) => !hidden);
    const preloaded = subjects.filter(({ state }) => state === 'learned').length;
    return { id: topic.id, subjects: subjects.length, preloaded };
  });
  const lines = topics.slice(0, SHOWN).map(({ id, subjects, preloaded }) => {
    const inPrompt = preloaded > 0 ? `, ${preloaded} in every prompt` : '';
    return `${id}: ${counted(subjects, 'subject')}${inPrompt}`;
  });
  if (topics.length > SHOWN) lines.push(`and ${topics.length - SHOWN} more topics; see "ken kb ls"`);
  return { lines, data: { topics } };
}

async function readLedger({ ledger, clock }: WorkspaceApp): Promise<SectionContent | undefined> {
  const count = await ledger?.count(secondsOf(clock.now()));
  if (!count || count.active === 0) return undefined;
  const { active, doubtful, unverified } = count;
  const lines = [counted(active, 'active entry', 'active entries')];
  if (doubtful > 0)
    lines.push(`${doubtful} with evidence that moved, changed or is missing; see "ken k verify"`);
  return { lines, data: { active, doubtful, never_verified: unverified } };
}

async function readReferences(app: WorkspaceApp): Promise<SectionContent | undefined> {
  const { isGood } = await import('../../domain/references/topic/library.ts');
  const { listTopics } = await import('../../domain/references/topic/list-topics.ts');
  const kept = await app.library.list();
  if (kept.length === 0) return undefined;
  const topics = await listTopics(app, { includeObsolete: true });
  const count = (wanted: string) => topics.filter(({ status }) => status === wanted).length;
  const broken = kept.filter((each) => !isGood(each)).length;
  const [stale, obsolete] = [count('stale'), count('obsolete')];
  const lines = [counted(kept.length, 'reference topic')];
  if (stale > 0) lines.push(`${stale} stale; fetch again with "ken ref refresh --stale"`);
  if (broken > 0) lines.push(`${broken} broken; see "ken ref doctor"`);
  return { lines, data: { topics: topics.length, stale, obsolete, broken } };
}

async function readConversations({ conversations }: WorkspaceApp): Promise<SectionContent | undefined> {
  const { shownTitle } = await import('./commands/conversation/conversation-json.ts');
  const all = await conversations.list({ labels: [], archived: 'with', local: 'with' });
  if (all.length === 0) return undefined;
  const archived = all.filter(({ metadata }) => metadata.archivedAt !== undefined).length;
  const local = all.filter(({ isLocal }) => isLocal).length;
  const last = all.reduce((a, b) => (b.metadata.activeAt > a.metadata.activeAt ? b : a));
  const counts = [
    counted(all.length, 'conversation'),
    ...(archived > 0 ? [`${archived} archived`] : []),
    ...(local > 0 ? [`${local} stored outside the workspace`] : []),
  ];
  return {
    lines: [
      counts.join(', '),
      `last: ${last.id}  ${minuteTime(last.metadata.activeAt)}  ${shownTitle(last.metadata)}`,
    ],
    data: { count: all.length, archived, local, last: last.id },
  };
}

async function readTrust({
  settings: { trust, sources },
}: WorkspaceApp): Promise<SectionContent | undefined> {
  if (trust === 'nothing') return undefined;
  const count = sources.reduce((sum, { definitions }) => sum + definitions.length, 0);
  return {
    lines: [`${counted(count, 'definition')}${TRUST_TEXT[trust]}`],
    data: { state: trust, definitions: count },
  };
}

const TRUST_TEXT = {
  trusted: ', trusted',
  untrusted: ' left out: not trusted; run "ken trust"',
  changed: ' left out: changed since trusted; run "ken trust"',
} as const;

async function readApprovals(app: WorkspaceApp): Promise<SectionContent | undefined> {
  const now = app.clock.now();
  const waiting = await app.approvals.list({ statuses: ['pending'] }, now);
  const jobs = await unfinishedJobs(app, now);
  const lock = await lockNotice(app);
  if (waiting.length === 0 && jobs.length === 0 && !lock) return undefined;
  const lines = waiting
    .slice(0, SHOWN)
    .map(({ id, summary, created }) => `${id}  ${summary} (${elapsed(created, now)})`);
  const more = waiting.length - lines.length;
  return {
    lines: [
      ...(lock ? [lock] : []),
      ...lines,
      ...(more > 0 ? [`and ${more} more; see "ken approvals ls"`] : []),
      ...jobs.map(({ job, status }) => `${job.id}  ${status}: ${job.title}`),
    ],
    data: {
      ...(lock && { lock }),
      pending: waiting.map(({ id, summary }) => ({ id, summary })),
      jobs: jobs.map(({ job, status }) => ({ id: job.id, title: job.title, status })),
    },
  };
}

/** Undefined: approvals are not locked, and nothing is wrong with that. */
async function lockNotice(app: App): Promise<string | undefined> {
  const { lockReport } = await import('../../domain/approvals/lock/lock-report.ts');
  const report = await lockReport(app);
  if (report.status !== 'ok') return `${report.message}; see "ken doctor"`;
  return report.isOn ? report.message : undefined;
}

/** Running ones, and those of the last day that did not finish. */
async function unfinishedJobs(app: App, now: number): Promise<{ job: Job; status: JobStatus }[]> {
  const { jobStatus } = await import('../../domain/approvals/job.ts');
  const running = await app.jobs.list({ isRunning: true, limit: 100 });
  const found = await Promise.all(
    running.map(async (job) => ({ job, status: await jobStatus(app.processWatch, job) })),
  );
  return found
    .filter(({ job, status }) => status === 'running' || now - job.updated < DAY_MS)
    .slice(0, SHOWN);
}

const DAY_MS = 86_400_000;
