import { Fault } from '../../../base/fault.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject, memberOf } from '../../../base/json.ts';
import type { ImportedCitation } from '../entry/citations.ts';
import {
  type EntryVersion,
  entryId,
  type Feedback,
  type KeptCitation,
  type Seconds,
  STANCES,
  STATUSES,
  TTL_POLICIES,
} from '../entry/entry.ts';
import { versionFields } from '../entry/ledger-event.ts';
import { type IsCitationUri, parseProvenance } from '../entry/provenance.ts';
import type { ClaimSides } from '../entry/stated-claim.ts';
import { formatEpoch, parseTimestamp } from '../entry/timestamp.ts';

export interface EntryHistory {
  readonly versions: readonly [EntryVersion, ...EntryVersion[]];
  /** All citations ever, in order. */
  readonly citations: readonly ImportedCitation[];
  readonly feedback: Feedback;
}

export const EXPORT_HEAD = { format: 'ken-ledger', version: 1 } as const;

export function exportedEntry({ versions, citations, feedback }: EntryHistory): JsonObject {
  const [{ id, createdAt, supersedes }] = versions;
  const { retrieved, helped, hurt } = feedback;
  return {
    id,
    created_at: formatEpoch(createdAt),
    supersedes_id: supersedes ?? null,
    versions: versions.map((version) => {
      const { supersedes_id: _, ...fields } = versionFields(version);
      return {
        updated_at: formatEpoch(version.updatedAt),
        written_at: formatEpoch(version.writtenAt),
        ...fields,
      };
    }),
    citations: citations.map((each) => ({
      provenance: each.provenance,
      sha256: each.sha256 ?? null,
      version: each.version,
      until_version: each.until ?? null,
      cited_at: formatEpoch(each.citedAt),
      cited_by: each.citedBy,
    })),
    feedback: { retrieved, helped, hurt },
  };
}

/** Lines of the claims that were stated; entries say for themselves on which side they are. */
export function exportedClaims(claims: readonly ClaimSides[]): JsonObject[] {
  return claims.flatMap(({ id, stated }) => (stated ? [{ claim: id, text: stated.text }] : []));
}

/** Throws a Fault `ledger/invalid` for lines that `exportedEntry` cannot have written by `now`. */
export function parseExportedEntry(line: Json, now: Seconds, isCitationUri: IsCitationUri): EntryHistory {
  const id = entryId(textIn(line, 'id'));
  if (id !== textIn(line, 'id')) throw invalid('id');
  const createdAt = timeIn(line, 'created_at');
  const supersedes = textOrNull(line, 'supersedes_id');
  const [first, ...others] = listIn(line, 'versions').map((version, at) => ({
    ...versionFrom(version, createdAt),
    id,
    version: at + 1,
    createdAt,
    supersedes,
  }));
  if (!first) throw invalid('versions');
  const versions = [first, ...others] as const;
  requireOrder(versions, now);
  const citations = listIn(line, 'citations').map((each) => citationFrom(each, versions, isCitationUri));
  const inForce = citations.filter(({ until }) => until === undefined).map(({ provenance }) => provenance);
  if (new Set(inForce).size < inForce.length) throw invalid('citations');
  if (versions.some(({ provenance }) => !parseProvenance(provenance, isCitationUri)))
    throw invalid('provenance');
  return { versions, citations, feedback: feedbackFrom(memberOf(line, 'feedback')) };
}

type Loose = Omit<EntryVersion, 'id' | 'version' | 'createdAt' | 'supersedes'>;

function versionFrom(line: Json, createdAt: Seconds): Loose {
  const ttlPolicy = choiceIn(line, 'ttl_policy', TTL_POLICIES);
  const expires = memberOf(line, 'expires_ts') == null ? undefined : timeIn(line, 'expires_ts');
  if (ttlPolicy === 'persistent' && expires !== undefined) throw invalid('expires_ts');
  const labels = memberOf(line, 'labels');
  if (!isJsonObject(labels) || !Object.values(labels).every((value) => typeof value === 'string'))
    throw invalid('labels');
  const updatedAt = timeIn(line, 'updated_at');
  const writtenAt = timeIn(line, 'written_at');
  if (writtenAt < createdAt || writtenAt > updatedAt) throw disordered('written_at');
  return {
    updatedAt,
    writtenAt,
    title: filledIn(line, 'title'),
    text: filledIn(line, 'text'),
    provenance: textIn(line, 'provenance'),
    claimId: textOrNull(line, 'claim_id'),
    claimStance: memberOf(line, 'claim_stance') == null ? undefined : choiceIn(line, 'claim_stance', STANCES),
    mergeKey: textOrNull(line, 'merge_key'),
    status: choiceIn(line, 'status', STATUSES),
    ttlPolicy,
    expires,
    tags: listIn(line, 'tags').map((tag) => (typeof tag === 'string' ? tag : fail('tags'))),
    labels: new Map(Object.entries(labels as Record<string, string>)),
  };
}

/** Each version follows the one before, and none is from the future. */
function requireOrder([first, ...others]: EntryHistory['versions'], now: Seconds): void {
  let before = first;
  if (first.updatedAt !== first.createdAt) throw disordered('updated_at');
  for (const version of others) {
    if (version.updatedAt < before.updatedAt) throw disordered('updated_at');
    if (version.mergeKey !== before.mergeKey) throw invalid('merge_key');
    before = version;
  }
  if (before.updatedAt > now)
    throw new Fault(
      'ledger/invalid',
      'Its updated_at lies in the future; compare the clocks of the two machines.',
    );
}

function citationFrom(
  line: Json,
  versions: EntryHistory['versions'],
  isCitationUri: IsCitationUri,
): ImportedCitation {
  const provenance = textIn(line, 'provenance');
  const sha256 = textOrNull(line, 'sha256');
  const isSound = sha256 === undefined || /^[0-9a-f]{64}$/.test(sha256);
  if (!isSound || !parseProvenance(provenance, isCitationUri)) throw invalid('citations');
  const version = numberIn(line, 'version', 1, versions.length);
  const until =
    memberOf(line, 'until_version') == null
      ? undefined
      : numberIn(line, 'until_version', version + 1, versions.length);
  const citedBy = filledIn(line, 'cited_by');
  const citedAt = timeIn(line, 'cited_at');
  const { createdAt, updatedAt } = versions[version - 1] ?? fail('citations');
  if (citedAt < createdAt || citedAt > updatedAt) throw disordered('cited_at');
  return { provenance, sha256, version, until, citedAt, citedBy };
}

function numberIn(line: Json, name: string, least: number, most: number): number {
  const found = memberOf(line, name);
  const isOne = typeof found === 'number' && Number.isInteger(found);
  return isOne && found >= least && found <= most ? found : fail('citations');
}

function feedbackFrom(value: Json | undefined): Feedback {
  const count = (name: string) => {
    const found = memberOf(value, name) ?? 0;
    return Number.isSafeInteger(found) && Number(found) >= 0 ? Number(found) : fail('feedback');
  };
  const [retrieved, helped, hurt] = [count('retrieved'), count('helped'), count('hurt')];
  return helped + hurt <= retrieved && retrieved <= 1e9 ? { retrieved, helped, hurt } : fail('feedback');
}

function textIn(line: Json, name: string): string {
  const found = memberOf(line, name);
  return typeof found === 'string' && found.isWellFormed() && !found.includes('\0') ? found : fail(name);
}

function filledIn(line: Json, name: string): string {
  const text = textIn(line, name);
  return text.trim() === '' ? fail(name) : text;
}

function textOrNull(line: Json, name: string): string | undefined {
  return memberOf(line, name) == null ? undefined : filledIn(line, name);
}

function listIn(line: Json, name: string): readonly Json[] {
  const found = memberOf(line, name);
  return isJsonList(found) ? found : fail(name);
}

function timeIn(line: Json, name: string): Seconds {
  return parseTimestamp(textIn(line, name));
}

function choiceIn<Choice extends string>(line: Json, name: string, choices: readonly Choice[]): Choice {
  return choices.find((choice) => choice === memberOf(line, name)) ?? fail(name);
}

function fail(name: string): never {
  throw invalid(name);
}

function disordered(name: string): Fault {
  return new Fault('ledger/invalid', `Its ${name} does not fit its other times.`);
}

function invalid(name: string): Fault {
  return new Fault('ledger/invalid', `Its ${name} cannot be read.`);
}

export function historyOf(
  versions: readonly EntryVersion[],
  citations: readonly KeptCitation[],
  feedback: Feedback,
): EntryHistory {
  const [first, ...others] = versions;
  if (!first) throw new Error('An entry has no version.');
  return {
    versions: [first, ...others],
    citations: citations.map(({ verified: _, ...citation }) => citation),
    feedback,
  };
}
