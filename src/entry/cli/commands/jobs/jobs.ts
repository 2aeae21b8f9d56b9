import { elapsed } from '../../../../base/time.ts';
import { cancelJob as cancel, findJob } from '../../../../domain/approvals/find-job.ts';
import { type Job, type JobStatus, jobStatus } from '../../../../domain/approvals/job.ts';
import { command } from '../../command.ts';
import { idsFor, shortStarts } from '../../render/short-ids.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { JOB_ID, jobAsJson, messageOf, progressText } from './job-json.ts';

const listJobs = command({
  name: 'ls',
  summary: 'list running jobs',
  examples: ['jobs ls', 'jobs ls --all --json'],
  options: [{ flags: '--all', summary: 'also ended ones' }],

  async run({ options, terminal, openAnywhere }) {
    const { jobs, processWatch, clock } = await openAnywhere({ toleratesTrouble: true });
    const found = await jobs.list(options.has('all') ? {} : { isRunning: true });
    const listed = await Promise.all(
      found.map(async (job) => ({ job, status: await jobStatus(processWatch, job) })),
    );
    if (terminal.json) terminal.printJson({ jobs: listed.map(({ job, status }) => jobAsJson(job, status)) });
    else if (listed.length === 0)
      terminal.note(options.has('all') ? 'There are no jobs.' : 'No job is running.');
    else printTable(terminal, columnsAt(clock.now(), idsFor(terminal, found, shortStarts)), listed);
  },
});

function columnsAt(
  now: number,
  shown: (id: string) => string,
): ItemColumn<{ job: Job; status: JobStatus }>[] {
  return [
    { title: 'id', cell: ({ job }) => shown(job.id) },
    { title: 'status', cell: ({ status }) => status },
    { title: 'started', cell: ({ job }) => elapsed(job.started, now) },
    { title: 'progress', cell: ({ job }) => (job.progress ? progressText(job.progress) : '') },
    { title: 'work', flexible: true, cell: ({ job }) => job.title },
    { title: 'workspace', flexible: true, cell: ({ job }) => job.workspace ?? '' },
  ];
}

const showJob = command({
  name: 'show',
  summary: 'show the progress of a job, or how it ended',
  examples: ['jobs show 3f2a', 'jobs show 3f2a --json'],
  arguments: [JOB_ID],

  async run({ arguments: [id = ''], terminal, openAnywhere }) {
    const { jobs, processWatch, clock } = await openAnywhere({ toleratesTrouble: true });
    const job = await findJob(jobs, id);
    const status = await jobStatus(processWatch, job);
    if (terminal.json) {
      terminal.printJson({ job: jobAsJson(job, status) });
      return;
    }
    const cancelling = status === 'running' && job.isCancelRequested ? ', to be cancelled' : '';
    terminal.print(`${job.id}: ${status}${cancelling}, started ${elapsed(job.started, clock.now())}`);
    terminal.print(job.title);
    if (job.workspace !== undefined) terminal.print(`in ${job.workspace}`);
    if (job.progress) terminal.print(progressText(job.progress));
    const message = messageOf(job);
    if (message !== undefined) terminal.print(`\n${message}`);
  },
});

const cancelJob = command({
  name: 'cancel',
  summary: 'cancel a job',
  description: 'The job stops within about a second, at the next safe point. Its results so far stay.',
  examples: ['jobs cancel 3f2a'],
  arguments: [JOB_ID],

  async run({ arguments: [id = ''], terminal, openAnywhere }) {
    const app = await openAnywhere({ toleratesTrouble: true });
    const job = await cancel(app, await findJob(app.jobs, id));
    const status = await jobStatus(app.processWatch, job);
    if (terminal.json) terminal.printJson({ job: jobAsJson(job, status) });
    else
      terminal.note(
        status === 'running' ? `Job ${job.id} is being cancelled.` : `Job ${job.id} is ${status}.`,
      );
  },
});

export const jobs = command({
  name: 'jobs',
  summary: 'show and cancel long-running jobs',
  description:
    'Jobs are work that an approval started, and long calls over MCP. Any process can show and cancel a job, wherever it ' +
    'runs.',
  examples: ['jobs ls', 'jobs show 3f2a', 'jobs cancel 3f2a'],
  subcommands: [listJobs, showJob, cancelJob],
});
