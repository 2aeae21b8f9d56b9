/** The text form of a reason, which a model sees in place of a result: `APPROVAL_REQUIRED:<REASON>:{…}`. */

import { canonicalJson } from '../../base/json.ts';
import { type ApprovalReason, isApprovalReason } from './reason.ts';

export function toApprovalError(reason: ApprovalReason): string {
  const { type, ...fields } = reason;
  return `${PREFIX}${type.toUpperCase()}:${canonicalJson(fields)}`;
}

export function parseApprovalReason(text: string): ApprovalReason | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  const end = text.indexOf(':', PREFIX.length);
  const type = text.slice(PREFIX.length, end).toLowerCase();
  const fields = parsedJson(text.slice(end + 1));
  if (typeof fields !== 'object' || fields === null || 'type' in fields) return undefined;
  const reason: unknown = { type, ...fields };
  return isApprovalReason(reason) && writes(reason, text) ? reason : undefined;
}

const PREFIX = 'APPROVAL_REQUIRED:';

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text with other spaces, another order or doubled keys is not one that `toApprovalError` wrote. */
function writes(reason: ApprovalReason, text: string): boolean {
  try {
    return toApprovalError(reason) === text;
  } catch {
    return false;
  }
}
