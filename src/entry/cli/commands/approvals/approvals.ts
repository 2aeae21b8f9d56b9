import { Fault } from '../../../../base/fault.ts';
import {
  approveInPerson,
  deny,
  findApproval,
  noteFrom,
} from '../../../../domain/approvals/decide-approval.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';
import { APPROVAL_ID, approvalAsJson } from './approval-json.ts';
import { lockApprovals, unlockApprovals } from './lock.ts';
import { logOfDecisions } from './log.ts';
import { listApprovals } from './ls.ts';
import { revokeStanding } from './revoke.ts';
import { showApproval } from './show.ts';

const approveApproval = command({
  name: 'approve',
  summary: 'look at a request and approve or deny it',
  description:
    'Shows the whole request and asks. It needs you at a terminal: no flag, variable or workspace setting answers ' +
    'for you. Work that waited for the approval starts at once, where that is possible.',
  examples: ['approvals approve 3f2a'],
  arguments: [APPROVAL_ID],

  async run({ arguments: [id = ''], terminal, openAnywhere, signal }) {
    const app = await openAnywhere();
    const approval = await findApproval(app, id);
    const progress = await jobProgress(terminal, app.clock, signal);
    const decided = await approveInPerson(app, { approval, onProgress: progress.show }, signal).finally(
      progress.end,
    );
    if (!decided) throw undecided(approval.id);
    const { work } = decided;
    const { status } = decided.approval.state;
    if (terminal.json) terminal.printJson({ approval: approvalAsJson(decided.approval), work: work ?? null });
    else if (work) terminal.note(work.message);
    else terminal.note(status === 'denied' ? 'Denied.' : 'Approved; what asked for it can be run again.');
    return status === 'denied' ? 4 : 0;
  },
});

function undecided(id: string): Fault {
  return new Fault('approvals/needed', `Nothing was decided; approval ${id} still waits.`, {
    hint: `Run "ken approvals approve ${id}" again, or "ken approvals deny ${id}".`,
  });
}

const denyApproval = command({
  name: 'deny',
  summary: 'deny a request at once',
  examples: ['approvals deny 3f2a', 'approvals deny 3f2a --reason "only the docs"'],
  arguments: [APPROVAL_ID],
  options: [{ flags: '--reason <text>', summary: 'the reason; the assistant that asked is told' }],

  async run({ arguments: [id = ''], options, terminal, openAnywhere }) {
    const app = await openAnywhere({ toleratesTrouble: true });
    const approval = await findApproval(app, id);
    const note = noteFrom(options.text('reason'));
    const denied = await deny(app, { approval, by: await app.operator.name(), ...note });
    if (terminal.json) terminal.printJson({ approval: approvalAsJson(denied) });
    else terminal.note(`Denied: ${denied.summary}`);
  },
});

export const approvals = command({
  name: 'approvals',
  summary: 'show and decide requests that wait for your approval',
  description:
    'Requests of an assistant that need your decision wait here. An approval covers exactly the request it shows, once, ' +
    'until it expires; at a terminal you can also approve like calls for the rest of a conversation.',
  examples: ['approvals ls', 'approvals show 3f2a', 'approvals approve 3f2a', 'approvals lock'],
  subcommands: [
    listApprovals,
    showApproval,
    approveApproval,
    denyApproval,
    revokeStanding,
    lockApprovals,
    unlockApprovals,
    logOfDecisions,
  ],
});
