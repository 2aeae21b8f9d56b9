import { isJsonList, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import { type Entry, type EntryVersion, type KeptCitation, type Verification, worstOf } from './entry.ts';
import { type LedgerEvent, versionFields } from './ledger-event.ts';
import { formatEpoch } from './timestamp.ts';

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
    ...(version.isClaim && { claim: true }),
  };
}

export function entryJson(entry: Entry): JsonObject {
  return {
    ...versionJson(entry),
    ...(entry.visibility && { visibility: entry.visibility }),
    superseded_by: entry.supersededBy ?? null,
    citations: entry.citations.map(citationJson),
    feedback: { ...entry.feedback },
    verified: verificationJson(worstOf(entry.citations.map(({ verified }) => verified))),
  };
}

export function earlierCitationJson(citation: KeptCitation): JsonObject {
  return { ...citationJson(citation), until_version: citation.until ?? null };
}

function citationJson({ provenance, sha256, version, ...citation }: KeptCitation): JsonObject {
  return {
    provenance,
    sha256: sha256 ?? null,
    version,
    cited_at: formatEpoch(citation.citedAt),
    cited_by: citation.citedBy,
    verified: verificationJson(citation.verified),
  };
}

function verificationJson(verified: Verification | undefined): Json {
  return verified ? { verdict: verified.verdict, at: formatEpoch(verified.at) } : null;
}

/** Leaves out findings of a check that are about other entries. */
export function eventJson(event: LedgerEvent, id: string) {
  const { eventId, at, type, actor, run, data, changes } = event;
  const { checked } = data;
  const own = isJsonList(checked) && { checked: checked.filter((each) => memberOf(each, 'id') === id) };
  const stamp = { event_id: eventId, ts: formatEpoch(at), type, actor, run_id: run };
  return { ...stamp, ...data, ...own, changes, ...(event.isClaim && { claim: true }) };
}
