import type { App } from '../../../../app.ts';
import { singleLine } from '../../../../base/terminal-text.ts';
import { elapsed, isoTime } from '../../../../base/time.ts';
import type { Approval } from '../../../../domain/approvals/approval.ts';
import { findApproval } from '../../../../domain/approvals/decide-approval.ts';
import { describeApproval, quoted } from '../../../../domain/approvals/describe-reason.ts';
import { type Job, type JobStatus, jobStatus } from '../../../../domain/approvals/job.ts';
import { readableJson } from '../../../../domain/approvals/readable-json.ts';
import { command } from '../../command.ts';
import { jobFields, messageOf, progressText } from '../jobs/job-json.ts';
import { APPROVAL_ID, approvalAsJson } from './approval-json.ts';

export const showApproval = command({
  name: 'show',
  summary: 'show a whole request and its outcome',
  examples: ['approvals show 3f2a', 'approvals show 3f2a --json'],
  arguments: [APPROVAL_ID],

  async run({ arguments: [id = ''], terminal, openAnywhere }) {
    const app = await openAnywhere({ toleratesTrouble: true });
    const approval = await findApproval(app, id);
    const job = await app.jobs.get(approval.id);
    const status = job && (await jobStatus(app.processWatch, job));
    if (terminal.json) {
      terminal.printJson({
        approval: approvalAsJson(approval),
        job: job && status ? jobFields(job, status) : null,
      });
      return;
    }
    for (const line of [...recordLines(app, approval), ...(job && status ? jobLines(job, status) : [])]) {
      terminal.print(line);
    }
    terminal.print(`\n${fullText(approval)}`);
  },
});

function recordLines({ clock }: App, approval: Approval): string[] {
  const { id, actor, workspace, created, expires, digest, state } = approval;
  const now = clock.now();
  const line = (name: string, value: string) => `${name.padEnd(10)} ${value}`;
  const lines = [
    line('approval', id),
    line('status', state.status),
    line('asked by', singleLine(actor)),
    line('workspace', singleLine(workspace ?? 'none')),
    line('created', `${isoTime(created)} (${elapsed(created, now)})`),
    line('expires', `${isoTime(expires)} (${elapsed(expires, now)})`),
    line('sha-256', digest),
  ];
  if ('decision' in state && state.decision) {
    const { by, at, through, note } = state.decision;
    lines.push(line('decided', `${isoTime(at)} by ${by}, through ${through}`));
    if (note !== undefined) lines.push(line('because', note));
  }
  if ('consumed' in state) lines.push(line('used', isoTime(state.consumed)));
  return lines;
}

/** Every line of foreign text begins with `> `. */
function fullText(approval: Approval): string {
  const { question, parts } = describeApproval(approval);
  const shown = parts.flatMap(({ label, text }) => [`${label}:`, quoted(text)]);
  return [question, '', ...shown, '', 'The exact request:', quoted(readableJson(approval.request))].join(
    '\n',
  );
}

function jobLines(job: Job, status: JobStatus): string[] {
  return [
    `job        ${[status, messageOf(job)].filter(Boolean).join(': ')}`,
    ...(job.progress ? [`progress   ${progressText(job.progress)}`] : []),
  ];
}
