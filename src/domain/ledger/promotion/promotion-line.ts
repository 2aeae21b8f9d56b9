/** Promotions in the committed ledger file. Anybody may have written it. */

import { isJsonList, isJsonObject, type JsonObject, memberOf, parseJson } from '../../../base/json.ts';
import type { Promotion } from './promotion.ts';

export type PromotionLine =
  | { readonly kind: 'promotion'; readonly promotion: Promotion }
  | { readonly kind: 'revocation'; readonly revokes: string }
  | { readonly kind: 'bad'; readonly problem: string };

export function parsePromotionLine(line: string): PromotionLine {
  const value = parseJson(line);
  if (!isJsonObject(value)) return bad('is not a JSON object');
  const revokes = memberOf(value, 'revokes');
  if (typeof revokes === 'string') return { kind: 'revocation', revokes };
  const missing = REQUIRED.find((name) => isBlank(memberOf(value, name)));
  if (missing !== undefined) return bad(`Knowledge promotion ledger missing '${missing}'`);
  const evidence = memberOf(value, 'evidence_refs');
  if (!isJsonList(evidence) || evidence.length === 0 || !evidence.every((each) => typeof each === 'string'))
    return bad("Knowledge promotion ledger missing 'evidence_refs'");
  return { kind: 'promotion', promotion: promotionFrom(value, evidence as string[]) };
}

export function problemIn(line: PromotionLine): string | undefined {
  if (line.kind === 'bad') return line.problem;
  const isOther = line.kind === 'promotion' && line.promotion.targetClass !== 'procedural';
  return isOther ? "expected target_class='procedural'" : undefined;
}

const REQUIRED = [
  'event_id',
  'ts',
  'source_entry_id',
  'target_class',
  'approved_by',
  'actor',
  'reason',
] as const;

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

function bad(problem: string): PromotionLine {
  return { kind: 'bad', problem };
}

function promotionFrom(value: JsonObject, evidence: readonly string[]): Promotion {
  const text = (name: string) => {
    const found = memberOf(value, name);
    return typeof found === 'string' && found !== '' ? found : undefined;
  };
  const seconds = Number.parseInt(text('ts') ?? '', 10);
  return {
    eventId: text('event_id') ?? '',
    at: Number.isSafeInteger(seconds) ? seconds : 0,
    sourceId: text('source_entry_id') ?? '',
    targetClass: text('target_class') ?? '',
    evidence,
    reason: text('reason') ?? '',
    textSha256: text('text_sha256') ?? '',
    approvalId: text('approval_id'),
    approver: text('approved_by') ?? '',
    consumedBy: text('target_id'),
    isRevoked: false,
  };
}
