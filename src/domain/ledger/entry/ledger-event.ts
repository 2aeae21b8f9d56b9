/** Ledger events. Every change is one event; the events alone hold the whole history. */

import type { Json, JsonObject } from '../../../base/json.ts';
import type { Citation, EntryVersion, Seconds } from './entry.ts';
import { formatEpoch } from './timestamp.ts';

export type LedgerEventType =
  | 'add'
  | 'deprecate'
  | 'restore'
  | 'decay'
  | 'retrieval'
  | 'verify'
  | 'promotion'
  | 'revocation'
  | 'import'
  | 'claim'
  | 'erase';

/** The ledger files; an event is written to at most one of them. */
export type LedgerFile =
  | 'knowledge.retrieval.events.jsonl'
  | 'knowledge.decay.events.jsonl'
  | 'knowledge.promotions.jsonl';

export const LEDGER_FILES: Readonly<Partial<Record<LedgerEventType, LedgerFile>>> = {
  retrieval: 'knowledge.retrieval.events.jsonl',
  decay: 'knowledge.decay.events.jsonl',
  promotion: 'knowledge.promotions.jsonl',
  revocation: 'knowledge.promotions.jsonl',
};

export interface Stamp {
  readonly eventId: string;
  readonly at: Seconds;
  readonly actor: string;
  readonly run: string;
}

export interface LedgerEvent extends Stamp {
  readonly type: LedgerEventType;
  readonly data: JsonObject;
  /** Id, new version, changed fields, added (`cites`) and removed citations (`uncites`) of each changed entry. */
  readonly changes: readonly JsonObject[];
  /** Not of this operator. */
  readonly isClaim?: true;
}

/** Without the line end. */
export function ledgerLine({ eventId, at, actor, run, data }: LedgerEvent): string {
  return JSON.stringify({ event_id: eventId, ts: formatEpoch(at), ...data, actor, run_id: run });
}

export function citing(
  change: JsonObject,
  cited: readonly Citation[],
  gone: readonly string[] = [],
): JsonObject {
  const cites = cited.map(({ provenance, sha256 }) => ({ provenance, sha256: sha256 ?? null }));
  return { ...change, ...(cites.length > 0 && { cites }), ...(gone.length > 0 && { uncites: gone }) };
}

/** The fields that differ in `after`; all fields for a new entry. */
export function changeOf(before: EntryVersion | undefined, after: EntryVersion): JsonObject {
  if (!before) return { id: after.id, version: after.version, ...versionFields(after) };
  const old: Record<string, Json> = versionFields(before);
  const fields: Record<string, Json> = {
    ...(before.claimStance && { claim_stance: null }),
    ...versionFields(after),
  };
  const changed = Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value),
  );
  return { id: after.id, version: after.version, ...Object.fromEntries(changed) };
}

export function versionFields(version: EntryVersion) {
  return {
    title: version.title,
    text: version.text,
    provenance: version.provenance,
    claim_id: version.claimId ?? null,
    // Absent without a side, since marks of earlier versions say nothing of it.
    ...(version.claimStance && { claim_stance: version.claimStance }),
    merge_key: version.mergeKey ?? null,
    status: version.status,
    ttl_policy: version.ttlPolicy,
    expires_ts: version.expires === undefined ? null : formatEpoch(version.expires),
    supersedes_id: version.supersedes ?? null,
    tags: version.tags,
    labels: Object.fromEntries(version.labels) as JsonObject,
  };
}

export interface LedgerLine {
  readonly eventId: string;
  /** Without the line end. */
  readonly line: string;
}

export interface LedgerFiles {
  /** All lines in order; empty when the file is missing or unreadable. */
  lines(file: LedgerFile): readonly string[];
  /** Appends durably; does not repeat an existing line. Throws a Fault when the file cannot be written. */
  append(file: LedgerFile, lines: readonly LedgerLine[]): void;
}
