/** Ledger events. Every change is one event; the events alone hold the whole history. */

import type { Json, JsonObject } from '../../../base/json.ts';
import type { Labels } from '../../labels/label.ts';
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
  | 'import';

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

/** Actor, time and run of an event. */
export interface Stamp {
  readonly eventId: string;
  readonly at: Seconds;
  readonly actor: string;
  readonly run: string;
}

export interface LedgerEvent extends Stamp {
  readonly type: LedgerEventType;
  /** Data of this kind of event. */
  readonly data: JsonObject;
  /**
   * For each changed entry: its id, new version, changed fields, added citations (`cites`) and removed ones
   * (`uncites`).
   */
  readonly changes: readonly JsonObject[];
}

/** The event as a line of a ledger file, without the line end. */
export function ledgerLine({ eventId, at, actor, run, data }: LedgerEvent): string {
  return JSON.stringify({ event_id: eventId, ts: formatEpoch(at), ...data, actor, run_id: run });
}

/** A change with its added and removed citations. */
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
  const changed = Object.entries(versionFields(after)).filter(
    ([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value),
  );
  return { id: after.id, version: after.version, ...Object.fromEntries(changed) };
}

/** All fields that can differ between two versions. */
export function versionFields(version: EntryVersion) {
  return {
    title: version.title,
    text: version.text,
    provenance: version.provenance,
    claim_id: version.claimId ?? null,
    merge_key: version.mergeKey ?? null,
    status: version.status,
    ttl_policy: version.ttlPolicy,
    expires_ts: version.expires === undefined ? null : formatEpoch(version.expires),
    supersedes_id: version.supersedes ?? null,
    tags: version.tags,
    labels: labelsAsJson(version.labels),
  };
}

function labelsAsJson(labels: Labels): JsonObject {
  return Object.fromEntries(labels);
}

export interface LedgerLine {
  readonly eventId: string;
  /** Without the line end. */
  readonly line: string;
}

/** The ledger files of one workspace. The caller prevents concurrent use. */
export interface LedgerFiles {
  /** All lines in order; empty when the file is missing or unreadable. */
  lines(file: LedgerFile): readonly string[];
  /**
   * Appends the lines durably; a line that exists already is not repeated. Throws a Fault when the file cannot be
   * written.
   */
  append(file: LedgerFile, lines: readonly LedgerLine[]): void;
}
