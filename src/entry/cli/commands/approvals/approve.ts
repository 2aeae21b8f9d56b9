import { Fault } from '../../../../base/fault.ts';
import { approveInPerson, findApproval } from '../../../../domain/approvals/decide-approval.ts';
import { command } from '../../command.ts';
import { jobProgress } from '../../render/job-progress.ts';
import { APPROVAL_ID, approvalAsJson } from './approval-json.ts';

export const approveApproval = command({
  name: 'approve',
  summary: 'look at a request and approve or deny it',
  description:
    'Shows the whole request and asks. It needs you at a terminal: no flag, variable or workspace setting answers ' +
    'for you. What waited for the approval is done there and then, where that is possible.',
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
