import { elapsed } from '../../../../base/time.ts';
import type { Approval } from '../../../../domain/approvals/approval.ts';
import type { StandingApproval } from '../../../../domain/approvals/standing/standing-approval.ts';
import { command } from '../../command.ts';
import { idsFor, shortStarts } from '../../render/short-ids.ts';
import { type ItemColumn, printTable } from '../../render/table.ts';
import { approvalAsJson, standingAsJson } from './approval-json.ts';

export const listApprovals = command({
  name: 'ls',
  summary: 'list waiting requests, and approvals that still hold',
  examples: ['approvals ls', 'approvals ls --all --json'],
  options: [{ flags: '--all', summary: 'also denied, used and expired ones' }],

  async run({ options, terminal, openAnywhere }) {
    const { approvals, standingApprovals, clock } = await openAnywhere({ toleratesTrouble: true });
    const now = clock.now();
    const found = await approvals.list(options.has('all') ? {} : { statuses: ['pending', 'approved'] }, now);
    const standing = await standingApprovals.list(now);
    if (terminal.json) {
      terminal.printJson({ approvals: found.map(approvalAsJson), standing: standing.map(standingAsJson) });
      return;
    }
    const shown = idsFor(terminal, [...found, ...standing], shortStarts);
    if (found.length > 0) printTable(terminal, columnsAt(now, shown), found);
    else terminal.note('Nothing waits for your approval.');
    if (standing.length === 0) return;
    terminal.print('\nApproved for the rest of a conversation ("ken approvals revoke ID" ends it):');
    printTable(terminal, standingColumns(now, shown), standing);
  },
});

function columnsAt(now: number, shown: (id: string) => string): ItemColumn<Approval>[] {
  return [
    { title: 'id', cell: ({ id }) => shown(id) },
    { title: 'status', cell: ({ state }) => state.status },
    { title: 'asked', cell: ({ created }) => elapsed(created, now) },
    { title: 'question', flexible: true, cell: ({ summary }) => summary },
    { title: 'workspace', flexible: true, cell: ({ workspace }) => workspace ?? '' },
  ];
}

function standingColumns(now: number, shown: (id: string) => string): ItemColumn<StandingApproval>[] {
  return [
    { title: 'id', cell: ({ id }) => shown(id) },
    { title: 'until', cell: ({ expires }) => elapsed(expires, now) },
    { title: 'conversation', cell: ({ conversation }) => conversation },
    { title: 'covers', flexible: true, cell: ({ tool, covers }) => `${tool}: ${covers}` },
    { title: 'workspace', flexible: true, cell: ({ workspace }) => workspace },
  ];
}
