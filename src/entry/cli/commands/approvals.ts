import { command } from '../command.ts';
import { approveApproval } from './approvals/approve.ts';
import { denyApproval } from './approvals/deny.ts';
import { listApprovals } from './approvals/ls.ts';
import { showApproval } from './approvals/show.ts';

export const approvals = command({
  name: 'approvals',
  summary: 'see and decide what waits for your approval',
  description:
    'What an assistant may not do on its own waits here. An approval covers exactly the request it shows, once, ' +
    'until it expires.',
  examples: ['approvals ls', 'approvals show 3f2a', 'approvals approve 3f2a'],
  subcommands: [listApprovals, showApproval, approveApproval, denyApproval],
});
