import { cancelJob as cancel, findJob } from '../../../../domain/approvals/find-job.ts';
import { jobStatus } from '../../../../domain/approvals/job.ts';
import { command } from '../../command.ts';
import { JOB_ID, jobAsJson } from './job-json.ts';

export const cancelJob = command({
  name: 'cancel',
  summary: 'tell the process that runs a job to stop',
  description: 'It stops within a second or so, at the next point where it can. What it did so far stays.',
  examples: ['jobs cancel 3f2a'],
  arguments: [JOB_ID],

  async run({ arguments: [id = ''], terminal, openAnywhere }) {
    const app = await openAnywhere({ toleratesTrouble: true });
    const job = await cancel(app, await findJob(app.jobs, id));
    const status = await jobStatus(app.processWatch, job);
    if (terminal.json) terminal.printJson({ job: jobAsJson(job, status) });
    else
      terminal.note(status === 'running' ? `Job ${job.id} was told to stop.` : `Job ${job.id} is ${status}.`);
    return undefined;
  },
});
