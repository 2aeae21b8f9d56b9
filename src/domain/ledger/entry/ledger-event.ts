/** What happened in the ledger. Every change is one event, and the events alone tell the whole history. */

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

/** The files that tell others about events; each event goes to at most one. */
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

/** Who did it, when, and in which run. */
export interface Stamp {
  readonly eventId: string;
  readonly at: Seconds;
  readonly actor: string;
  readonly run: string;
}

export interface LedgerEvent extends Stamp {
  readonly type: LedgerEventType;
  /** What is particular to this kind. */
  readonly data: JsonObject;
  /**
   * Of each entry that was changed, its id, new version, the fields that are different from now on, what it `cites`
   * from now on and what it does not any more (`uncites`).
   */
  readonly changes: readonly JsonObject[];
}

/** As a line of a ledger file, without its end. */
export function ledgerLine({ eventId, at, actor, run, data }: LedgerEvent): string {
  return JSON.stringify({ event_id: eventId, ts: formatEpoch(at), ...data, actor, run_id: run });
}

/** A change with the citations that come and go with it. */
export function citing(
  change: JsonObject,
  cited: readonly Citation[],
  gone: readonly string[] = [],
): JsonObject {
  const cites = cited.map(({ provenance, sha256 }) => ({ provenance, sha256: sha256 ?? null }));
  return { ...change, ...(cites.length > 0 && { cites }), ...(gone.length > 0 && { uncites: gone }) };
}

/** The fields in which `after` differs; all of them for a new entry. */
export function changeOf(before: EntryVersion | undefined, after: EntryVersion): JsonObject {
  if (!before) return { id: after.id, version: after.version, ...versionFields(after) };
  const old: Record<string, Json> = versionFields(before);
  const changed = Object.entries(versionFields(after)).filter(
    ([name, value]) => JSON.stringify(old[name]) !== JSON.stringify(value),
  );
  return { id: after.id, version: after.version, ...Object.fromEntries(changed) };
}

/** All that can differ between two versions. */
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
  /** Without its end. */
  readonly line: string;
}

/** The ledger files of one workspace. Whoever calls makes sure that nobody else does at the same time. */
export interface LedgerFiles {
  /** Every line there is, in order; none when there is no such file or it cannot be read. */
  lines(file: LedgerFile): readonly string[];
  /**
   * Each line is on the disk, at the end of its file, when this returns; one that is there already stays alone. A
   * file that cannot be written is a Fault.
   */
  append(file: LedgerFile, lines: readonly LedgerLine[]): void;
}
