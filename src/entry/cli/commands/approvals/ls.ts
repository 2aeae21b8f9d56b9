import { elapsed } from '../../../../base/time.ts';
import type { Approval } from '../../../../domain/approvals/approval.ts';
import { command } from '../../command.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { approvalAsJson } from './approval-json.ts';

export const listApprovals = command({
  name: 'ls',
  summary: 'list pending approvals, and approved ones that are not used yet',
  examples: ['approvals ls', 'approvals ls --all --json'],
  options: [{ flags: '--all', summary: 'also denied, used and expired ones' }],

  async run({ options, terminal, openAnywhere }) {
    const { approvals, clock } = await openAnywhere({ toleratesTrouble: true });
    const now = clock.now();
    const found = await approvals.list(options.has('all') ? {} : { statuses: ['pending', 'approved'] }, now);
    if (terminal.json) terminal.printJson({ approvals: found.map(approvalAsJson) });
    else if (found.length === 0) terminal.note('Nothing waits for your approval.');
    else printTable(terminal, columnsAt(now), found);
  },
});

function columnsAt(now: number): ItemColumn<Approval>[] {
  return [
    { title: 'id', cell: ({ id }) => id },
    { title: 'status', cell: ({ state }) => state.status },
    { title: 'asked', cell: ({ created }) => elapsed(created, now) },
    { title: 'question', flexible: true, cell: ({ summary }) => summary },
    { title: 'workspace', flexible: true, cell: ({ workspace }) => workspace ?? '' },
  ];
}
