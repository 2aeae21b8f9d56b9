/** The ledger as JSON: the same fields for a command and for a tool. */

import type { Json, JsonObject } from '../../base/json.ts';
import type { Entry, EntryVersion, KeptCitation } from './entry.ts';
import { type LedgerEvent, versionFields } from './ledger-event.ts';
import { formatEpoch } from './timestamp.ts';
import { type Verification, worstOf } from './verdict.ts';

export function versionJson(version: EntryVersion) {
  const { title, text: content, tags, labels, ...fields } = versionFields(version);
  return {
    id: version.id,
    title,
    content,
    ...fields,
    created_at: formatEpoch(version.createdAt),
    updated_at: formatEpoch(version.updatedAt),
    version: version.version,
    tags,
    labels,
  };
}

export function entryJson(entry: Entry): JsonObject {
  return {
    ...versionJson(entry),
    superseded_by: entry.supersededBy ?? null,
    citations: entry.citations.map(citationJson),
    feedback: { ...entry.feedback },
    verified: verificationJson(worstOf(entry.citations.map(({ verified }) => verified))),
  };
}

function citationJson({ provenance, sha256, version, citedAt, citedBy, verified }: KeptCitation): JsonObject {
  const cited = { version, cited_at: formatEpoch(citedAt), cited_by: citedBy };
  return { provenance, sha256: sha256 ?? null, ...cited, verified: verificationJson(verified) };
}

function verificationJson(verified: Verification | undefined): Json {
  return verified ? { verdict: verified.verdict, at: formatEpoch(verified.at) } : null;
}

export function eventJson({ eventId, at, type, actor, run, data, changes }: LedgerEvent) {
  return { event_id: eventId, ts: formatEpoch(at), type, actor, run_id: run, ...data, changes };
}
