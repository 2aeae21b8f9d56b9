import { singleLine, truncateText } from '../../base/terminal-text.ts';
import type { NewApproval } from './approval.ts';
import { readableJson } from './readable-json.ts';
import type { ApprovalReason } from './reason.ts';

export interface ReasonText {
  readonly question: string;
  /** The whole subject: foreign text of any length, to be neutralised before it is shown. */
  readonly details: string;
}

export function describeReason(reason: ApprovalReason): ReasonText {
  switch (reason.type) {
    case 'workspace_escape':
      return { question: 'Use a path outside the workspace?', details: reason.path };
    case 'reference_topic_create':
      return { question: `Create reference topic '${reason.title}'?`, details: reason.summary };
    case 'tool_run':
      return { question: `Run tool '${reason.tool}'?`, details: readableJson(reason.arguments) };
    case 'tool_definition':
      return {
        question: `Accept the definition of tool '${reason.tool}' from server '${reason.server}'?`,
        details: `${reason.diff}\nsha-256: ${reason.digest}`,
      };
    case 'label_command':
      return { question: `Run a command for label '${reason.label}'?`, details: reason.command };
    case 'knowledge_promote':
      return {
        question: `Promote knowledge entry '${reason.entry}'?`,
        details: [reason.text, ...reason.evidence.map((evidence) => `evidence: ${evidence}`)].join('\n'),
      };
    case 'workspace_trust':
      return { question: 'Trust what this workspace defines?', details: reason.definitions.join('\n') };
  }
}

const MOST_SHOWN = 200;

export function summaryOf(reason: ApprovalReason, shown: string | undefined): string {
  const { question } = describeReason(reason);
  return shown === undefined ? question : `${question} ${truncateText(singleLine(shown), MOST_SHOWN)}`;
}

export function questionOf({ reason, summary }: Pick<NewApproval, 'reason' | 'summary'>): string {
  const { question } = describeReason(reason);
  return summary.startsWith(`${question} `) ? summary : question;
}

/** The whole question as one text: `Create reference topic '…'? 1,247 files. Approve / Deny`. */
export function approvalQuestion(approval: Pick<NewApproval, 'reason' | 'summary'>): string {
  const question = questionOf(approval);
  const { details } = describeReason(approval.reason);
  const end = /[.?!]$/.test(details) ? '' : '.';
  const isShown = question !== describeReason(approval.reason).question;
  return `${question}${isShown ? '\n' : ' '}${details}${end} Approve / Deny`;
}
