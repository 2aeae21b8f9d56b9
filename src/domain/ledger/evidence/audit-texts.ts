import { secretIn } from '../entry/checked-input.ts';
import type { SharedFindingKind } from '../shared/shared-ledger.ts';
import { nearDuplicates } from './near-duplicates.ts';

export interface AuditedText {
  readonly id: string;
  readonly text: string;
  readonly mergeKey: string | undefined;
}

export type FindingKind =
  | 'exact_duplicate'
  | 'near_duplicate'
  | 'orphan_evidence'
  | 'never_retrieved'
  | 'expired_active'
  | 'secret'
  | 'no_active_tip'
  | 'contradictory_key'
  | 'promotion_ledger'
  | SharedFindingKind;

export interface AuditFinding {
  readonly kind: FindingKind;
  /** Ids of the entries concerned; empty for the ledger files. */
  readonly ids: readonly string[];
  readonly message: string;
}

export function auditTexts(texts: readonly AuditedText[]): readonly AuditFinding[] {
  return [...exactDuplicates(texts), ...almostDuplicates(texts), ...secrets(texts), ...contradictions(texts)];
}

function exactDuplicates(texts: readonly AuditedText[]): AuditFinding[] {
  return groups(texts, ({ text }) => plain(text)).map((group) => ({
    kind: 'exact_duplicate',
    ids: group.map(({ id }) => id),
    message: 'They say the same, word for word.',
  }));
}

function almostDuplicates(texts: readonly AuditedText[]): AuditFinding[] {
  return nearDuplicates(texts.map(({ text }) => text)).flatMap(([a, b]) => {
    const [left, right] = [texts[a], texts[b]];
    if (!left || !right || plain(left.text) === plain(right.text)) return [];
    return [{ kind: 'near_duplicate', ids: [left.id, right.id], message: 'They say nearly the same.' }];
  });
}

function secrets(texts: readonly AuditedText[]): AuditFinding[] {
  return texts.flatMap(({ id, text }) => {
    const rule = secretIn(text);
    return rule === undefined
      ? []
      : [{ kind: 'secret', ids: [id], message: `It looks like a secret (${rule}).` }];
  });
}

function contradictions(texts: readonly AuditedText[]): AuditFinding[] {
  const keyed = texts.filter(({ mergeKey }) => mergeKey !== undefined);
  const letters = (key: string) =>
    key
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '');
  return groups(keyed, ({ mergeKey = '' }) => letters(mergeKey))
    .filter((group) => new Set(group.map(({ text }) => plain(text))).size > 1)
    .map((group) => ({
      kind: 'contradictory_key',
      ids: group.map(({ id }) => id),
      message: `Their merge keys read the same (${[...new Set(group.map(({ mergeKey }) => mergeKey))].join(', ')}), their texts do not.`,
    }));
}

function groups(texts: readonly AuditedText[], keyOf: (text: AuditedText) => string): AuditedText[][] {
  return [...Map.groupBy(texts, keyOf).values()].filter(({ length }) => length > 1);
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}
