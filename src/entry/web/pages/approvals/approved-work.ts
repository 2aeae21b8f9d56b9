/** The work that an approval allowed, on the page of the approval: how far it is, and how it ended. */

import type { App } from '../../../../app.ts';
import { asText } from '../../../../base/json.ts';
import { type Job, type JobProgress, type JobStatus, jobStatus } from '../../../../domain/approvals/job.ts';
import { messageOf } from '../../../cli/commands/jobs/job-json.ts';
import type { Visit } from '../../page.ts';
import { followedJob, goingOn } from '../../parts/going-on.ts';
import { address, ago, changeForm, type Html, hidden, html, NOTHING } from '../../parts/html.ts';
import { progressView } from '../jobs.ts';

export interface ApprovedWork {
  readonly id: string;
  readonly status: JobStatus;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly progress: JobProgress | null;
  readonly message: string | null;
  /** The reference topic that it made or changed. */
  readonly topic: string | null;
  readonly isCancelRequested: boolean;
  /** As the stream of events names its state. */
  readonly seen: string;
}

export async function approvedWork(
  { jobs, processWatch }: Pick<App, 'jobs' | 'processWatch'>,
  id: string,
): Promise<ApprovedWork | null> {
  const job = await jobs.get(id);
  if (!job) return null;
  const { state, started, progress, isCancelRequested } = job;
  return {
    id,
    status: await jobStatus(processWatch, job),
    startedAt: started,
    finishedAt: state.status === 'running' ? null : state.finished,
    progress: progress ?? null,
    message: messageOf(job) ?? null,
    topic: topicOf(job),
    isCancelRequested,
    seen: followedJob(job).seen,
  };
}

function topicOf({ state }: Job): string | null {
  return state.status === 'done' ? (asText(state.result.data.topic_id) ?? null) : null;
}

/** The id of the part that is loaded again while the work goes on. */
const PART = 'work';

/** Where it is shown also before the work begins, so that it appears by itself. */
export function approvedWorkView(work: ApprovedWork | null, visit: Visit): Html {
  return html`<div id="${PART}">${work === null ? NOTHING : workView(work, visit)}</div>`;
}

function workView(work: ApprovedWork, visit: Visit): Html {
  const { id, status, startedAt, seen, progress } = work;
  if (status !== 'running') return endView(work, visit);
  const cancel = changeForm(
    visit,
    '/jobs/cancel',
    html`${hidden('id', id)}${hidden('back', address('/approvals/show', { id }))}<button>Cancel</button>`,
  );
  return goingOn(
    { follows: id, seen },
    PART,
    html`<h2>The work is going on</h2>
      ${progressView(progress ?? { phase: 'beginning', done: 0 }, visit.now - startedAt)}
      <p class="small quiet">Begun ${ago(startedAt, visit.now)}. It goes on when you leave this page.</p>
      ${work.isCancelRequested ? html`<p>It is being cancelled.</p>` : cancel}
      <p class="small without-scripts">This page loads itself again every two seconds.</p>`,
  );
}

const ENDS: Readonly<Record<Exclude<JobStatus, 'running'>, string>> = {
  done: 'Done',
  failed: 'It failed',
  cancelled: 'It was cancelled',
  interrupted: 'It was interrupted: the program that ran it has ended',
};

function endView({ status, message, finishedAt, topic }: ApprovedWork, { now }: Visit): Html {
  if (status === 'running') return NOTHING;
  const isGood = status === 'done';
  return html`<div class="notice stack ${isGood ? 'done' : 'problem'}" role="status"><h2>${ENDS[status]}</h2>
    ${message === null ? NOTHING : html`<p class="kept">${message}</p>`}
    ${finishedAt === null ? NOTHING : html`<p class="small quiet">${ago(finishedAt, now)}</p>`}
    ${topic === null ? NOTHING : html`<p><a class="button main" href="${address('/references/topic', { id: topic })}">Open the topic</a></p>`}
    ${isGood ? NOTHING : html`<p class="small quiet">The request is used up; ask for it again to try once more.</p>`}</div>`;
}
