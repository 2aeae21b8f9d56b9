import { type Job, type JobStatus, jobStatus } from '../../../../domain/approvals/job.ts';
import { command } from '../../command.ts';
import { elapsed } from '../../render/elapsed.ts';
import { type Column, table } from '../../render/table.ts';
import { jobAsJson, progressText } from './job-json.ts';

export const listJobs = command({
  name: 'ls',
  summary: 'list what runs',
  examples: ['jobs ls', 'jobs ls --all --json'],
  options: [{ flags: '--all', summary: 'also what has ended' }],

  async run({ options, terminal, openAnywhere }) {
    const { jobs, processWatch, clock } = await openAnywhere({ toleratesTrouble: true });
    const found = await jobs.list(options.has('all') ? {} : { isRunning: true });
    const listed = await Promise.all(
      found.map(async (job) => ({ job, status: await jobStatus(processWatch, job) })),
    );
    if (terminal.json) terminal.printJson({ jobs: listed.map(({ job, status }) => jobAsJson(job, status)) });
    else if (listed.length === 0) terminal.note(options.has('all') ? 'There are no jobs.' : 'Nothing runs.');
    else {
      const now = clock.now();
      terminal.printStyled(
        table(
          terminal,
          COLUMNS,
          listed.map(({ job, status }) => row(job, status, now)),
        ),
      );
    }
    return undefined;
  },
});

const COLUMNS: readonly Column[] = [
  { title: 'id' },
  { title: 'status' },
  { title: 'started' },
  { title: 'progress' },
  { title: 'work', flexible: true },
  { title: 'workspace', flexible: true },
];

function row({ id, started, progress, title, workspace }: Job, status: JobStatus, now: number): string[] {
  return [id, status, elapsed(started, now), progress ? progressText(progress) : '', title, workspace ?? ''];
}
