import { cancelJob, findJob } from '../../../domain/approvals/find-job.ts';
import { type JobProgress, jobStatus } from '../../../domain/approvals/job.ts';
import { jobAsJson, messageOf, progressText } from '../../cli/commands/jobs/job-json.ts';
import { type Action, page, type Visit } from '../page.ts';
import {
  ago,
  badge,
  changeForm,
  choices,
  emptyState,
  type Html,
  hidden,
  html,
  NOTHING,
} from '../parts/html.ts';

const SHOWN_JOBS = 100;

export const jobsPage = page({
  path: '/jobs',
  section: 'jobs',
  title: () => 'Jobs',
  async load({ app, query }: Visit) {
    const isAll = query.get('all') === '1';
    const found = await app.jobs.list({ limit: SHOWN_JOBS, ...(!isAll && { isRunning: true }) });
    const jobs = await Promise.all(
      found.map(async (job) => {
        const status = await jobStatus(app.processWatch, job);
        const { started, progress } = job;
        return {
          ...jobAsJson(job, status),
          id: job.id,
          title: job.title,
          status,
          startedAt: started,
          running: progress ?? null,
          end: messageOf(job) ?? '',
        };
      }),
    );
    return { isAll, jobs };
  },
  view: ({ isAll, jobs }, visit) => html`
    <div class="top"><h1>Jobs</h1>${choices('Which jobs', [
      { text: 'Running', to: '/jobs', isChosen: !isAll },
      { text: 'All', to: '/jobs?all=1', isChosen: isAll },
    ])}</div>
    <div id="live" data-live-part class="stack">${
      jobs.length === 0
        ? emptyState(
            isAll ? 'There were no jobs yet.' : 'No job is running.',
            html`Long work is one, such as fetching a <a href="/references">reference topic</a>. Its progress is shown here and where it was approved.`,
          )
        : html`<ul class="list">${jobs.map(
            ({ id, title, status, startedAt, running, end }) => html`<li>
              <span class="name">${title}</span>
              <span class="row small quiet">${badge(status, status === 'running' || status === 'done' ? 'accent' : 'alert')} begun ${ago(startedAt, visit.now)} ${end}</span>
              ${running !== null && status === 'running' ? progressView(running, visit.now - startedAt) : NOTHING}
              ${status === 'running' || status === 'interrupted' ? changeForm(visit, '/jobs/cancel', html`${hidden('id', id)}${hidden('back', '/jobs')}<button>Cancel</button>`) : NOTHING}
            </li>`,
          )}</ul>`
    }</div>`,
});

/** With an estimate of the time that is left, once enough is done. */
export function progressView(progress: JobProgress, elapsedMs: number): Html {
  const { done, total } = progress;
  const text = `${progressText(progress)}${remaining(progress, elapsedMs)}`;
  const bar =
    total === undefined
      ? html`<progress aria-label="${text}"></progress>`
      : html`<progress value="${done}" max="${total}" aria-label="${text}"></progress>`;
  return html`${bar}<span class="small quiet">${text}</span>`;
}

const LEAST_SHARE = 0.05;

function remaining({ done, total = 0 }: JobProgress, elapsedMs: number): string {
  const share = total > 0 ? done / total : 0;
  if (share < LEAST_SHARE || share >= 1 || elapsedMs < 2_000) return '';
  const seconds = Math.ceil(((elapsedMs / share) * (1 - share)) / 1_000);
  return seconds < 90 ? `, about ${seconds} s left` : `, about ${Math.round(seconds / 60)} minutes left`;
}

export const JOB_ACTIONS: readonly Action[] = [
  {
    path: '/jobs/cancel',
    async run({ app }, form) {
      const job = await cancelJob(app, await findJob(app.jobs, form.get('id') ?? ''));
      return { to: '/jobs', notice: { kind: 'done', text: `Job ${job.id} is being cancelled.` } };
    },
  },
];
