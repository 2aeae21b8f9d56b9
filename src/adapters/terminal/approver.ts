import { styleText } from 'node:util';
import { isoTime } from '../../base/time.ts';
import type { Approval } from '../../domain/approvals/approval.ts';
import type { Approver, ApproverAnswer } from '../../domain/approvals/approver.ts';
import { describeReason, questionOf } from '../../domain/approvals/describe-reason.ts';
import type { Presence } from '../../domain/approvals/operator/operator-presence.ts';
import { readableJson } from '../../domain/approvals/readable-json.ts';
import { framedRows } from './framed-text.ts';
import { discardTypedAhead, type LineStreams, oneAtATime, readLine } from './read-line.ts';

/** Asks at the terminal, when the operator is there. */
export function terminalApprover(streams: LineStreams, operator: Asked): Approver {
  return {
    asksAgain: async () => true,
    isThere: async () => (await operator.presence()).isPresent,
    async ask(approval, signal): Promise<ApproverAnswer> {
      const verdict = await oneAtATime(streams.input, () => ask(streams, approval, signal));
      if (verdict === 'nobody') return { verdict };
      return { verdict, by: await operator.name(), through: 'terminal' };
    },
  };
}

interface Asked {
  name(): Promise<string>;
  presence(): Promise<Presence>;
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
): Promise<ApproverAnswer['verdict']> {
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

export function approvalRows(approval: Approval, columns: number): string[] {
  const { details } = describeReason(approval.reason);
  const where = approval.workspace === undefined ? '' : ` in ${approval.workspace}`;
  return framedRows(`${questionOf(approval)}\n\n${details}\n\nasked by ${approval.actor}${where}`, columns);
}

export function recordRows(approval: Approval, columns: number): string[] {
  const lines = [
    `approval   ${approval.id}`,
    `reason     ${approval.reason.type}`,
    `asked by   ${approval.actor}`,
    `workspace  ${approval.workspace ?? 'none'}`,
    `created    ${isoTime(approval.created)}`,
    `expires    ${isoTime(approval.expires)}`,
    `sha-256    ${approval.digest}`,
    'request',
    readableJson(approval.request, '  '),
  ];
  return framedRows(lines.join('\n'), columns);
}
