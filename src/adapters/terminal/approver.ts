import { styleText } from 'node:util';
import { singleLine } from '../../base/terminal-text.ts';
import { isoTime } from '../../base/time.ts';
import type { Approval } from '../../domain/approvals/approval.ts';
import type { Approver, ApproverAnswer, OfferedStanding } from '../../domain/approvals/approver.ts';
import { describeApproval } from '../../domain/approvals/describe-reason.ts';
import type { Presence } from '../../domain/approvals/operator/operator-presence.ts';
import { readableJson } from '../../domain/approvals/readable-json.ts';
import { framedRows, quotedRows } from './framed-text.ts';
import { discardTypedAhead, type LineStreams, oneAtATime, readLine } from './read-line.ts';

/** Asks at the terminal, when the operator is there. */
export function terminalApprover(streams: LineStreams, operator: Asked): Approver {
  return {
    asksAgain: async () => true,
    isThere: async () => (await operator.presence()).isPresent,
    async ask(approval, signal, standing): Promise<ApproverAnswer> {
      const verdict = await oneAtATime(streams.input, () => ask(streams, { approval, standing }, signal));
      if (verdict === 'nobody') return { verdict };
      const given = { by: await operator.name(), through: 'terminal' } as const;
      if (verdict === 'conversation') return { verdict: 'approve', ...given, isStanding: true };
      return { verdict, ...given };
    },
  };
}

interface Asked {
  name(): Promise<string>;
  presence(): Promise<Presence>;
}

const ANSWERS: ReadonlyMap<string, 'approve' | 'conversation' | 'deny' | 'more'> = new Map([
  ['y', 'approve'],
  ['yes', 'approve'],
  ['c', 'conversation'],
  ['conversation', 'conversation'],
  ['n', 'deny'],
  ['no', 'deny'],
  ['m', 'more'],
  ['more', 'more'],
]);

async function ask(
  streams: LineStreams,
  { approval, standing }: { readonly approval: Approval; readonly standing: OfferedStanding | undefined },
  signal: AbortSignal,
): Promise<ApproverAnswer['verdict'] | 'conversation'> {
  const { output } = streams;
  const rows = [
    ...approvalRows(approval, output.columns || 80),
    ...standingRows(standing, output.columns || 80),
  ];
  const print = (text: string) => void output.write(`${text}\n`);
  print(styleText('bold', `Approval ${approval.id} is needed:`, { stream: output }));
  print(rows.join('\n'));
  await discardTypedAhead(streams, signal);
  const lines = `${rows.length.toLocaleString('en')} lines.`;
  for (;;) {
    const answers = standing ? 'yes / conversation / no / more' : 'yes / no / more';
    const typed = await readLine(streams, `${lines} Approve? ${answers}: `, signal);
    if (typed === undefined) return 'nobody';
    const answer = ANSWERS.get(typed.trim().toLowerCase());
    if (answer === 'more') print(recordRows(approval, output.columns || 80).join('\n'));
    else if (answer && (standing || answer !== 'conversation')) return answer;
    else print(`Type ${standing ? 'yes, conversation' : 'yes'}, no or more; Ctrl-C leaves it undecided.`);
  }
}

/** ken's own words, and below each label the foreign text with a mark of its own on every row. */
export function approvalRows(approval: Approval, columns: number): string[] {
  const { question, parts } = describeApproval(approval);
  const own = (text: string) => framedRows(text, columns);
  return [
    ...own(question),
    ...own(''),
    ...parts.flatMap(({ label, text }) => [...own(`${label}:`), ...quotedRows(text, columns)]),
    ...own(''),
    ...own(`asked by ${singleLine(approval.actor)}`),
    ...(approval.workspace === undefined ? [] : own(`in ${singleLine(approval.workspace)}`)),
  ];
}

function standingRows(standing: OfferedStanding | undefined, columns: number): string[] {
  if (!standing) return [];
  const { covers, hours } = standing;
  return [
    ...framedRows('', columns),
    ...framedRows(`"conversation" also approves, in this conversation and terminal for ${hours} h:`, columns),
    ...quotedRows(covers, columns),
  ];
}

export function recordRows(approval: Approval, columns: number): string[] {
  const lines = [
    `approval   ${approval.id}`,
    `reason     ${approval.reason.type}`,
    `asked by   ${singleLine(approval.actor)}`,
    `workspace  ${singleLine(approval.workspace ?? 'none')}`,
    `created    ${isoTime(approval.created)}`,
    `expires    ${isoTime(approval.expires)}`,
    `sha-256    ${approval.digest}`,
    'request',
  ];
  return [...framedRows(lines.join('\n'), columns), ...quotedRows(readableJson(approval.request), columns)];
}
