import type { Row } from 'postgres';
import type { JsonObject } from '../../../base/json.ts';
import {
  type Entry,
  type EntryVersion,
  type Feedback,
  type KeptCitation,
  NO_FEEDBACK,
  type Stance,
  type Status,
  type TtlPolicy,
  type Verdict,
} from '../../../domain/ledger/entry/entry.ts';
import type { LedgerEvent, LedgerEventType } from '../../../domain/ledger/entry/ledger-event.ts';
import type { Promotion } from '../../../domain/ledger/promotion/promotion.ts';
import { termsOf } from '../../../domain/words/terms.ts';
import type { Tenant, Transaction } from '../seam/database.ts';

export function versionColumns(sql: Transaction) {
  return sql`
    v.entry, v.number, v.created, v.since, v.written, v.title, v.text, v.provenance, v.claim_id, v.claim_stance, v.merge_key,
    v.status, v.ttl_policy, v.expires, v.tags, v.labels, e.supersedes`;
}

export function versionFrom(row: Row): EntryVersion {
  return {
    id: String(row.entry),
    version: Number(row.number),
    createdAt: Number(row.created),
    writtenAt: Number(row.written),
    updatedAt: Number(row.since),
    title: String(row.title),
    text: String(row.text),
    provenance: String(row.provenance),
    claimId: textOr(row.claim_id),
    claimStance: textOr(row.claim_stance) as Stance | undefined,
    mergeKey: textOr(row.merge_key),
    status: String(row.status) as Status,
    ttlPolicy: String(row.ttl_policy) as TtlPolicy,
    expires: row.expires === null ? undefined : Number(row.expires),
    supersedes: textOr(row.supersedes),
    tags: row.tags as string[],
    labels: new Map(row.labels as [string, string][]),
  };
}

export function versionValues({ team, workspace }: Tenant, sql: Transaction, version: EntryVersion) {
  return {
    team,
    workspace,
    entry: version.id,
    number: version.version,
    created: version.createdAt,
    since: version.updatedAt,
    written: version.writtenAt,
    title: version.title,
    text: version.text,
    provenance: version.provenance,
    claim_id: version.claimId ?? null,
    claim_stance: version.claimStance ?? null,
    merge_key: version.mergeKey ?? null,
    status: version.status,
    ttl_policy: version.ttlPolicy,
    expires: version.expires ?? null,
    tags: sql.json([...version.tags]),
    // A list of pairs keeps their order, which an object in jsonb would lose.
    labels: sql.json([...version.labels]),
  };
}

export function entryFrom(row: Row, citations: readonly KeptCitation[]): Entry {
  const feedback = row.retrieved === null ? NO_FEEDBACK : feedbackFrom(row);
  return { ...versionFrom(row), citations, supersededBy: textOr(row.superseded_by), feedback };
}

export function feedbackFrom({ retrieved, helped, hurt }: Row): Feedback {
  return { retrieved: Number(retrieved), helped: Number(helped), hurt: Number(hurt) };
}

export function citationFrom(row: Row): KeptCitation {
  return {
    provenance: String(row.provenance),
    sha256: textOr(row.sha256),
    version: Number(row.number),
    until: row.until_number === null ? undefined : Number(row.until_number),
    citedAt: Number(row.cited),
    citedBy: String(row.cited_by),
    verified:
      row.verdict === null
        ? undefined
        : { verdict: String(row.verdict) as Verdict, at: Number(row.verified) },
  };
}

export function citationValues(entry: string, place: number, citation: KeptCitation) {
  return {
    entry,
    place,
    number: citation.version,
    until_number: citation.until ?? null,
    provenance: citation.provenance,
    sha256: citation.sha256 ?? null,
    cited: citation.citedAt,
    cited_by: citation.citedBy,
    verdict: citation.verified?.verdict ?? null,
    verified: citation.verified?.at ?? null,
  };
}

export function eventFrom(row: Row): LedgerEvent {
  return {
    eventId: String(row.id),
    at: Number(row.at),
    actor: String(row.actor),
    run: String(row.run),
    type: String(row.type) as LedgerEventType,
    data: JSON.parse(String(row.data)) as JsonObject,
    changes: JSON.parse(String(row.changes)) as JsonObject[],
  };
}

export function promotionFrom(row: Row): Promotion {
  return {
    eventId: String(row.event_id),
    at: Number(row.at),
    sourceId: String(row.source),
    targetClass: String(row.target_class),
    evidence: JSON.parse(String(row.evidence)),
    reason: String(row.reason),
    textSha256: String(row.text_sha256),
    approvalId: textOr(row.approval_id),
    approver: String(row.approver),
    consumedBy: textOr(row.consumed_by),
    isRevoked: row.is_revoked === true,
  };
}

/** Weights of the fields, as in SQLite's table of terms. */
const FIELD_WEIGHTS = { title: 5, tags: 3, text: 1, provenance: 1 } as const;

export interface VersionTerms {
  /** By term: how often it occurs, each time weighted by its field. */
  readonly weights: ReadonlyMap<string, number>;
  /** Number of terms, each as often as it occurs. */
  readonly count: number;
}

/** Terms by which a version is found. */
export function versionTerms({ title, tags, text, provenance }: EntryVersion): VersionTerms {
  const weights = new Map<string, number>();
  let count = 0;
  for (const [field, content] of Object.entries({ title, tags: tags.join(' '), text, provenance })) {
    for (const term of termsOf(content)) {
      weights.set(term, (weights.get(term) ?? 0) + FIELD_WEIGHTS[field as keyof typeof FIELD_WEIGHTS]);
      count++;
    }
  }
  return { weights, count };
}

function textOr(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
