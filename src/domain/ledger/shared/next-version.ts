import type { Json, JsonObject } from '../../../base/json.ts';
import { asText, asTexts, isJsonList, isJsonObject, memberOf } from '../../../base/json.ts';
import type { Citation, EntryVersion, Stance, Status, TtlPolicy } from '../entry/entry.ts';
import type { LedgerEvent } from '../entry/ledger-event.ts';
import { parseTimestamp } from '../entry/timestamp.ts';

/** The version that a checked change makes of the one before; a first one needs all base fields. */
export function versionAfter(
  before: EntryVersion | undefined,
  change: JsonObject,
  event: Pick<LedgerEvent, 'at' | 'type'>,
): EntryVersion {
  const updatedAt = before ? Math.max(event.at, before.updatedAt) : event.at;
  const text = (name: string, old: string | undefined) => (name in change ? asText(change[name]) : old);
  const ttlPolicy = (text('ttl_policy', before?.ttlPolicy) ?? 'persistent') as TtlPolicy;
  const isWritten = !before || WRITING.has(event.type) || 'title' in change || 'text' in change;
  return {
    id: before?.id ?? String(change.id),
    version: (before?.version ?? 0) + 1,
    createdAt: before?.createdAt ?? updatedAt,
    writtenAt: isWritten ? updatedAt : (before?.writtenAt ?? updatedAt),
    updatedAt,
    title: text('title', before?.title) ?? '',
    text: text('text', before?.text) ?? '',
    provenance: text('provenance', before?.provenance) ?? '',
    claimId: text('claim_id', before?.claimId),
    claimStance: text('claim_stance', before?.claimStance) as Stance | undefined,
    // An entry keeps the key that it was made with.
    mergeKey: before ? before.mergeKey : asText(change.merge_key),
    status: (text('status', before?.status) ?? 'active') as Status,
    ttlPolicy,
    expires: ttlPolicy === 'persistent' ? undefined : expiryAfter(before, change),
    supersedes: before ? before.supersedes : asText(change.supersedes_id),
    tags: asTexts(change.tags) ?? before?.tags ?? [],
    labels: isJsonObject(change.labels) ? labelsIn(change.labels) : (before?.labels ?? new Map()),
  };
}

/** Events that write title and text, even where both stay as they were. */
const WRITING: ReadonlySet<LedgerEvent['type']> = new Set(['add', 'promotion']);

function expiryAfter(before: EntryVersion | undefined, change: JsonObject): number | undefined {
  if (!('expires_ts' in change)) return before?.expires;
  const given = asText(change.expires_ts);
  return given === undefined ? undefined : parseTimestamp(given);
}

function labelsIn(labels: JsonObject): ReadonlyMap<string, string> {
  return new Map(Object.entries(labels).map(([key, value]) => [key, String(value)]));
}

export function citesIn(change: JsonObject): readonly Citation[] {
  return listOf(change.cites).map((each) => ({
    provenance: asText(memberOf(each, 'provenance')) ?? '',
    sha256: asText(memberOf(each, 'sha256')),
  }));
}

export function uncitesIn(change: JsonObject): ReadonlySet<string> {
  return new Set(listOf(change.uncites).map(String));
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonList(value) ? value : [];
}
