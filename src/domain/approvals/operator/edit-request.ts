/** Makes another request in the place of one that waits: the operator edits what would be done, and then decides on that. */

import { Fault } from '../../../base/fault.ts';
import { asText, isJsonObject, memberOf, parseJson } from '../../../base/json.ts';
import type { Approval, ApprovalRequest } from '../approval.ts';
import { readableJson } from '../readable-json.ts';

export interface EditableText {
  readonly label: string;
  readonly text: string;
}

/** Undefined for a request of which nothing can be edited as a text. */
export function editableText({
  reason,
  request,
}: Pick<Approval, 'reason' | 'request'>): EditableText | undefined {
  switch (reason.type) {
    case 'tool_run':
      return { label: 'Arguments, as JSON', text: readableJson(reason.arguments) };
    case 'knowledge_promote':
      return { label: 'Text of the rule', text: reason.text };
    case 'subject_propose':
      return { label: 'Text of the subject', text: asText(memberOf(request, 'text')) ?? '' };
    default:
      return undefined;
  }
}

/** Covers exactly the edited text. */
export function editedRequest(
  { workspace, reason, request, actor }: Approval,
  given: string,
): ApprovalRequest {
  const text = given.replace(/\r\n/g, '\n');
  if (text.trim() === '') throw invalid('The text is empty.');
  if (!isJsonObject(request)) throw invalid('This request cannot be edited.');
  const place = { workspace, actor };
  if (reason.type === 'tool_run') {
    const edited = parseJson(text);
    if (!isJsonObject(edited)) throw invalid('The arguments must be a JSON object.');
    const call = { ...reason, arguments: edited };
    return { ...place, reason: call, request: { ...request, ...call } };
  }
  if (reason.type === 'knowledge_promote')
    return { ...place, reason: { ...reason, text }, request: { ...request, text } };
  if (reason.type === 'subject_propose') return { ...place, reason, request: { ...request, text } };
  throw invalid('This request cannot be edited.');
}

/** Tells the one that asked what it may ask for instead. */
export function editedNote({ reason }: Pick<ApprovalRequest, 'reason'>): string {
  return reason.type === 'tool_run'
    ? `edited; call it with exactly these arguments: ${JSON.stringify(reason.arguments)}`
    : 'edited; the operator decides on the edited text';
}

function invalid(message: string): Fault {
  return new Fault('approvals/invalid', message, { hint: 'Go back and change it, or deny the request.' });
}
