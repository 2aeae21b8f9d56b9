/** Lines of the files that are shared through git. Anybody may have written them. */

import { Fault } from '../../../base/fault.ts';
import type { Hasher } from '../../../base/hasher.ts';
import {
  canonicalJson,
  isDeeperThan,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
} from '../../../base/json.ts';
import { isoTime } from '../../../base/time.ts';
import { entryId, STANCES, STATUSES, TTL_POLICIES } from '../entry/entry.ts';
import type { LedgerEvent, LedgerEventType } from '../entry/ledger-event.ts';
import { type IsCitationUri, parseProvenance } from '../entry/provenance.ts';
import { claimOfKey } from '../entry/stated-claim.ts';
import { formatEpoch, parseTimestamp } from '../entry/timestamp.ts';

/** Retrievals and verdicts stay with the operator: they say what was asked, and hold for one checkout. */
const SHARED_TYPES: readonly LedgerEventType[] = [
  'add',
  'deprecate',
  'restore',
  'decay',
  'verify',
  'promotion',
  'revocation',
  'import',
  'claim',
  'erase',
];

export interface SharedEvent {
  readonly event: LedgerEvent;
  /** Same for the same content, whoever sent it. */
  readonly digest: string;
  /** The ledger that sent it, and the mark of that operator. */
  readonly ledger: string;
  readonly mac: string | undefined;
}

export type SharedLine = SharedEvent | { readonly problem: string };

/** Whether others need the event: it changes an entry, or asks them to erase one. */
export function isToBeShared({ type, changes }: LedgerEvent): boolean {
  return SHARED_TYPES.includes(type) && (changes.length > 0 || type === 'erase' || isPromotion(type));
}

function isPromotion(type: LedgerEventType): boolean {
  return type === 'promotion' || type === 'revocation';
}

export function sharedLine(event: LedgerEvent, ledger: string, mac: string | undefined): string {
  const { eventId, at, type, actor, run, data, changes } = event;
  return JSON.stringify({
    event_id: eventId,
    ts: formatEpoch(at),
    type,
    actor,
    run_id: run,
    data,
    changes,
    ledger,
    mac: mac ?? null,
  });
}

export function digestOf(hasher: Hasher, event: LedgerEvent): string {
  const { eventId, at, type, actor, run, data, changes } = event;
  return hasher.sha256(canonicalJson([eventId, at, type, actor, run, data, changes]));
}

export interface LinePorts {
  readonly hasher: Hasher;
  readonly isCitationUri: IsCitationUri;
}

/** By month, so that a file that is merged stays short. */
export function monthOf({ at }: Pick<LedgerEvent, 'at'>): string {
  return `${isoTime(at * 1000).slice(0, 7)}.jsonl`;
}

/** The moment at which the id was made, in milliseconds. */
export function ulidTime(id: string): number {
  return [...id.slice(0, 10)].reduce((time, digit) => time * 32 + CROCKFORD.indexOf(digit), 0);
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

const MOST = { bytes: 1024 * 1024, depth: 12, changes: 10_000, name: 500 } as const;
export const DAY_MS = 86_400_000;

/** Lines of this version have no key `format`. */
const FORMAT = 1;

export function parseSharedLine(text: string, ports: LinePorts): SharedLine {
  if (text.length > MOST.bytes) return { problem: 'is too long' };
  const value = parseJson(text);
  if (!isJsonObject(value) || isDeeperThan(value, MOST.depth)) return { problem: 'is not an event' };
  if (typeof value.format === 'number' && value.format > FORMAT)
    return { problem: 'was written by a newer ken; update ken' };
  try {
    const event = eventFrom(value, ports.isCitationUri);
    const [ledger, mac] = [value.ledger, value.mac];
    return {
      event,
      digest: digestOf(ports.hasher, event),
      ledger: typeof ledger === 'string' ? ledger : '',
      mac: typeof mac === 'string' ? mac : undefined,
    };
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'ledger/invalid') throw error;
    return { problem: error.message };
  }
}

function eventFrom(value: JsonObject, isCitationUri: IsCitationUri): LedgerEvent {
  const eventId = nameIn(value, 'event_id');
  const at = parseTimestamp(nameIn(value, 'ts'));
  if (!ULID.test(eventId) || at * 1000 > ulidTime(eventId) + DAY_MS) throw invalid('event_id');
  const { changes, data } = value;
  if (!isJsonObject(data)) throw invalid('data');
  if (!isJsonList(changes) || changes.length > MOST.changes) throw invalid('changes');
  const type = SHARED_TYPES.find((each) => each === value.type);
  if (!type || (type === 'erase' && !erasedIds(data))) throw invalid('type');
  const known = changes.map((each) =>
    type === 'claim' ? checkedStatement(each) : checkedChange(each, isCitationUri),
  );
  if (type === 'claim' && known.length !== 1) throw invalid('changes');
  if (new Set(known.map(({ id }) => id)).size < known.length) throw invalid('changes');
  return {
    eventId,
    at,
    type,
    actor: nameIn(value, 'actor'),
    run: nameIn(value, 'run_id'),
    data,
    changes: known,
  };
}

/** Ids that an erasure names. */
export function erasedIds(data: JsonObject): readonly string[] | undefined {
  const { ids } = data;
  return isJsonList(ids) && ids.length > 0 && ids.every((id) => typeof id === 'string')
    ? ids.map(String)
    : undefined;
}

type Check = (value: Json) => boolean;

const isText: Check = (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
const isFilled: Check = (value) => isText(value) && String(value).trim() !== '';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const isId: Check = (value) => isText(value) && plainId(String(value));

function plainId(id: string): boolean {
  try {
    return entryId(id) === id;
  } catch {
    return false;
  }
}

const isTime: Check = (value) => {
  try {
    return isText(value) && parseTimestamp(String(value)) >= 0;
  } catch {
    return false;
  }
};

function fieldChecks(isCitationUri: IsCitationUri): ReadonlyMap<string, Check> {
  const isProvenance: Check = (value) =>
    isText(value) && parseProvenance(String(value), isCitationUri) !== undefined;
  const isCitation: Check = (value) => {
    const [provenance, sha256] = [memberOf(value, 'provenance'), memberOf(value, 'sha256')];
    const isHash = sha256 === null || (typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256));
    return provenance !== undefined && isProvenance(provenance) && isHash;
  };
  const all =
    (check: Check): Check =>
    (value) =>
      isJsonList(value) && value.every(check);
  const checks: Readonly<Record<string, Check>> = {
    id: isId,
    version: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    title: isFilled,
    text: isFilled,
    provenance: isProvenance,
    claim_id: orNull(isFilled),
    claim_stance: orNull((value) => STANCES.some((each) => each === value)),
    merge_key: orNull(isFilled),
    status: (value) => STATUSES.some((each) => each === value),
    ttl_policy: (value) => TTL_POLICIES.some((each) => each === value),
    expires_ts: orNull(isTime),
    supersedes_id: orNull(isId),
    tags: all(isText),
    labels: (value) => isJsonObject(value) && Object.values(value).every(isText),
    cites: all(isCitation),
    uncites: all(isText),
  };
  return new Map(Object.entries(checks));
}

/** Fields that a change must have to stand without an earlier one. */
export const BASE_FIELDS = ['title', 'text', 'provenance', 'status', 'ttl_policy', 'tags', 'labels'] as const;

export function isBase(change: JsonObject): boolean {
  return BASE_FIELDS.every((name) => change[name] !== undefined);
}

function checkedChange(change: Json, isCitationUri: IsCitationUri): JsonObject {
  if (!isJsonObject(change) || change.id === undefined) throw invalid('changes');
  const checks = fieldChecks(isCitationUri);
  for (const [name, value] of Object.entries(change))
    if (!checks.get(name)?.(value)) throw invalid(`changes (${name.slice(0, 40)})`);
  return change;
}

function checkedStatement(change: Json): JsonObject {
  const id = claimOfKey(String(memberOf(change, 'id')));
  if (!isJsonObject(change) || id === undefined || !plainId(id)) throw invalid('changes');
  if (change.text === undefined || !isFilled(change.text) || Object.keys(change).length !== 2)
    throw invalid('changes (text)');
  return change;
}

function nameIn(value: JsonObject, name: string): string {
  const found = value[name];
  if (found === undefined || !isText(found) || String(found).length > MOST.name) throw invalid(name);
  return String(found);
}

function invalid(name: string): Fault {
  return new Fault('ledger/invalid', `Its ${name} cannot be read.`);
}
