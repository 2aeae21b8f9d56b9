import { deny, findApproval } from '../../../../domain/approvals/decide-approval.ts';
import { command } from '../../command.ts';
import { APPROVAL_ID, approvalAsJson } from './approval-json.ts';

export const denyApproval = command({
  name: 'deny',
  summary: 'deny a request, without being asked again',
  examples: ['approvals deny 3f2a'],
  arguments: [APPROVAL_ID],

  async run({ arguments: [id = ''], terminal, openAnywhere }) {
    const app = await openAnywhere({ toleratesTrouble: true });
    const approval = await findApproval(app, id);
    const denied = await deny(app, { approval, by: await app.operator.name() });
    if (terminal.json) terminal.printJson({ approval: approvalAsJson(denied) });
    else terminal.note(`Denied: ${denied.summary}`);
    return undefined;
  },
});
