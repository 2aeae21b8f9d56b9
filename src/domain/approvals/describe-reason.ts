/** A reason in the words of the person who decides. */

import { readableJson } from './readable-json.ts';
import type { ApprovalReason } from './reason.ts';

export interface ReasonText {
  /** One line for lists, as a question. */
  readonly question: string;
  /** What it is about, whole; foreign text of any length that has to be made inert before it is shown. */
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

/** The whole question as one text: `Create reference topic '…'? 1,247 files. Approve / Deny`. */
export function approvalQuestion(reason: ApprovalReason): string {
  const { question, details } = describeReason(reason);
  const end = /[.?!]$/.test(details) ? '' : '.';
  return `${question} ${details}${end} Approve / Deny`;
}
