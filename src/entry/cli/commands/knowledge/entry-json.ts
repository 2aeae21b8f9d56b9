import type { Entry, EntryVersion, KeptCitation } from '../../../../domain/ledger/entry.ts';
import { type LedgerEvent, labelsAsJson } from '../../../../domain/ledger/ledger-event.ts';
import { formatEpoch } from '../../../../domain/ledger/timestamp.ts';
import { type Verification, worstOf } from '../../../../domain/ledger/verdict.ts';

export function versionJson(version: EntryVersion) {
  return {
    id: version.id,
    title: version.title,
    content: version.text,
    provenance: version.provenance,
    claim_id: version.claimId ?? null,
    merge_key: version.mergeKey ?? null,
    status: version.status,
    ttl_policy: version.ttlPolicy,
    expires_ts: version.expires === undefined ? null : formatEpoch(version.expires),
    supersedes_id: version.supersedes ?? null,
    created_at: formatEpoch(version.createdAt),
    updated_at: formatEpoch(version.updatedAt),
    version: version.version,
    tags: version.tags,
    labels: labelsAsJson(version.labels),
  };
}

export function entryJson(entry: Entry) {
  return {
    ...versionJson(entry),
    superseded_by: entry.supersededBy ?? null,
    citations: entry.citations.map(citationJson),
    feedback: entry.feedback,
    verified: verificationJson(worstOf(entry.citations.map(({ verified }) => verified))),
  };
}

function citationJson({ provenance, sha256, version, citedAt, citedBy, verified }: KeptCitation) {
  const cited = { version, cited_at: formatEpoch(citedAt), cited_by: citedBy };
  return { provenance, sha256: sha256 ?? null, ...cited, verified: verificationJson(verified) };
}

function verificationJson(verified: Verification | undefined) {
  return verified ? { verdict: verified.verdict, at: formatEpoch(verified.at) } : null;
}

export function eventJson({ eventId, at, type, actor, run, data, changes }: LedgerEvent) {
  return { event_id: eventId, ts: formatEpoch(at), type, actor, run_id: run, ...data, changes };
}
