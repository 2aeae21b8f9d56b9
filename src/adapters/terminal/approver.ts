import { styleText } from 'node:util';
import type { Approval } from '../../domain/approvals/approval.ts';
import type { Answer, Approver } from '../../domain/approvals/approver.ts';
import { approvalRows, recordRows } from './approval-text.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { discardTypedAhead, type LineStreams, readLine } from './read-line.ts';

/** Asks at the terminal; there is somebody only if both standard input and standard error are one. */
export function terminalApprover(streams: LineStreams, operatorName: () => Promise<string>): Approver {
  return {
    isThere: async () => streams.input.isTTY === true && streams.output.isTTY === true,
    async ask(approval, signal): Promise<Answer> {
      const verdict = await oneAtATime(streams.input, () => ask(streams, approval, signal));
      if (verdict === 'nobody') return { verdict };
      return { verdict, by: await operatorName(), through: 'terminal' };
    },
  };
}

const ANSWERS: ReadonlyMap<string, 'approve' | 'deny' | 'more'> = new Map([
  ['y', 'approve'],
  ['yes', 'approve'],
  ['n', 'deny'],
  ['no', 'deny'],
  ['m', 'more'],
  ['more', 'more'],
]);

async function ask(
  streams: LineStreams,
  approval: Approval,
  signal: AbortSignal,
): Promise<Answer['verdict']> {
  const { output } = streams;
  const rows = approvalRows(approval, output.columns || 80);
  const print = (text: string) => void output.write(`${text}\n`);
  print(styleText('bold', `Approval ${approval.id} is needed:`, { stream: output }));
  print(rows.join('\n'));
  await discardTypedAhead(streams, signal);
  const lines = `${rows.length.toLocaleString('en')} lines.`;
  for (;;) {
    const typed = await readLine(streams, `${lines} Approve? yes / no / more: `, signal);
    if (typed === undefined) return 'nobody';
    const answer = ANSWERS.get(typed.trim().toLowerCase());
    if (answer === 'more') print(recordRows(approval, output.columns || 80).join('\n'));
    else if (answer) return answer;
    else print('Type yes, no or more; Ctrl-C leaves it undecided.');
  }
}
