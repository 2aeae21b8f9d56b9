import { findJob } from '../../../../domain/approvals/find-job.ts';
import { jobStatus } from '../../../../domain/approvals/job.ts';
import { command } from '../../command.ts';
import { elapsed } from '../../render/elapsed.ts';
import { JOB_ID, jobAsJson, messageOf, progressText } from './job-json.ts';

export const showJob = command({
  name: 'show',
  summary: 'show how far a job is, or how it ended',
  examples: ['jobs show 3f2a', 'jobs show 3f2a --json'],
  arguments: [JOB_ID],

  async run({ arguments: [id = ''], terminal, openAnywhere }) {
    const { jobs, processWatch, clock } = await openAnywhere({ toleratesTrouble: true });
    const job = await findJob(jobs, id);
    const status = await jobStatus(processWatch, job);
    if (terminal.json) {
      terminal.printJson({ job: jobAsJson(job, status) });
      return undefined;
    }
    const cancelling = status === 'running' && job.isCancelRequested ? ', to be cancelled' : '';
    terminal.print(`${job.id}: ${status}${cancelling}, started ${elapsed(job.started, clock.now())}`);
    terminal.print(job.title);
    if (job.workspace !== undefined) terminal.print(`in ${job.workspace}`);
    if (job.progress) terminal.print(progressText(job.progress));
    const message = messageOf(job);
    if (message !== undefined) terminal.print(`\n${message}`);
    return undefined;
  },
});
