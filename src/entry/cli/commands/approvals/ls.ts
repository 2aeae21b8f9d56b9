import type { Approval } from '../../../../domain/approvals/approval.ts';
import { command } from '../../command.ts';
import { elapsed } from '../../render/elapsed.ts';
import { type Column, table } from '../../render/table.ts';
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
    else
      terminal.printStyled(
        table(
          terminal,
          COLUMNS,
          found.map((approval) => row(approval, now)),
        ),
      );
    return undefined;
  },
});

const COLUMNS: readonly Column[] = [
  { title: 'id' },
  { title: 'status' },
  { title: 'asked' },
  { title: 'question', flexible: true },
  { title: 'workspace', flexible: true },
];

function row({ id, state, created, summary, workspace }: Approval, now: number): string[] {
  return [id, state.status, elapsed(created, now), summary, workspace ?? ''];
}
