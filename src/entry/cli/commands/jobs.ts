import { command } from '../command.ts';
import { cancelJob } from './jobs/cancel.ts';
import { listJobs } from './jobs/ls.ts';
import { showJob } from './jobs/show.ts';

export const jobs = command({
  name: 'jobs',
  summary: 'see and cancel long work',
  description:
    'What an approval set going, and calls over MCP that took long. Any process can look at a job; the one that runs ' +
    'it stops when you cancel.',
  examples: ['jobs ls', 'jobs show 3f2a', 'jobs cancel 3f2a'],
  subcommands: [listJobs, showJob, cancelJob],
});
