/** An approval as it is put to a person: all of it, inside a frame. */

import { isoTime } from '../../base/time.ts';
import type { Approval } from '../../domain/approvals/approval.ts';
import { describeReason, questionOf } from '../../domain/approvals/describe-reason.ts';
import { readableJson } from '../../domain/approvals/readable-json.ts';
import { framedRows } from './framed-text.ts';

/** The question with everything it is about. */
export function approvalRows(approval: Approval, columns: number): string[] {
  const { details } = describeReason(approval.reason);
  const where = approval.workspace === undefined ? '' : ` in ${approval.workspace}`;
  return framedRows(`${questionOf(approval)}\n\n${details}\n\nasked by ${approval.actor}${where}`, columns);
}

/** What is on record about it, and the exact request that the approval will cover. */
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
