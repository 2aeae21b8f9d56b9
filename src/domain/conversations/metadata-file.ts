import { Fault } from '../../base/fault.ts';
import { asText, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { isoTime, parseIsoTime } from '../../base/time.ts';
import { isLabelKey, isLabelValue } from '../labels/label-value.ts';
import type { Metadata } from './conversation.ts';
import { isConversationId } from './conversation-id.ts';

interface Field {
  readonly name: keyof Metadata;
  readonly key: string;
  /** Completes the sentence "KEY must be …". */
  readonly what: string;
  /** Returns undefined for a wrong value. */
  read(value: Json | undefined): unknown;
  /** Whether reading keeps the whole value; always when absent. */
  isWhole?(value: Json): boolean;
}

const LABELS = 'an object of label keys and texts of one line';
const FIELDS: readonly Field[] = [
  { name: 'createdAt', key: 'created_at', what: 'a time', read: timeIn },
  { name: 'activeAt', key: 'active_at', what: 'a time', read: timeIn },
  { name: 'pinnedAt', key: 'pinned_at', what: 'a time', read: timeIn },
  { name: 'archivedAt', key: 'archived_at', what: 'a time', read: timeIn },
  { name: 'title', key: 'title', what: 'a text', read: asText },
  { name: 'parent', key: 'parent', what: 'the id of a conversation', read: idIn },
  { name: 'labels', key: 'labels', what: LABELS, read: labelsFromJson, isWhole: areLabels },
];
const BY_KEY = new Map(FIELDS.map((field) => [field.key, field]));

export function metadataToJson(metadata: Metadata): JsonObject {
  const labels = Object.fromEntries([...metadata.labels].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    ...(metadata.title !== undefined && { title: metadata.title }),
    created_at: isoTime(metadata.createdAt),
    active_at: isoTime(metadata.activeAt),
    ...(metadata.labels.size > 0 && { labels }),
    ...(metadata.pinnedAt !== undefined && { pinned_at: isoTime(metadata.pinnedAt) }),
    ...(metadata.archivedAt !== undefined && { archived_at: isoTime(metadata.archivedAt) }),
    ...(metadata.parent !== undefined && { parent: metadata.parent }),
    ...metadata.others,
  };
}

/** Files of this version have no key `format`; one that counts higher was written by a newer ken. */
const FORMAT = 1;

/**
 * Returns undefined when it is not the metadata of a conversation, and throws a Fault when a newer ken wrote it. A key
 * with a wrong value is left out.
 */
export function metadataFromJson(json: Json | undefined): Metadata | undefined {
  if (!isJsonObject(json)) return undefined;
  if (typeof json.format === 'number' && json.format > FORMAT)
    throw new Fault('store/newer', 'This conversation was written by a newer ken.', {
      hint: 'Update ken, or use the one that wrote it.',
    });
  const own: Partial<Record<keyof Metadata, unknown>> = {};
  const others: [string, Json][] = [];
  for (const [key, value] of Object.entries(json)) {
    const field = BY_KEY.get(key);
    const read = field?.read(value);
    if (!field) others.push([key, value]);
    else if (read !== undefined) own[field.name] = read;
  }
  const { createdAt, activeAt = createdAt, labels = new Map(), ...optional } = own as Partial<Metadata>;
  if (createdAt === undefined || activeAt === undefined) return undefined;
  return { createdAt, activeAt, labels, ...optional, others: Object.fromEntries(others) };
}

/** Ends of sentences about the file's own keys. */
export function metadataProblems(json: Json | undefined): readonly string[] {
  if (!isJsonObject(json)) return ['it is not a JSON object'];
  const wrong = FIELDS.filter(({ key, read, isWhole }) => {
    const value = json[key];
    if (value === undefined) return key === 'created_at';
    return read(value) === undefined || isWhole?.(value) === false;
  });
  return wrong.map(({ key, what }) => `${key} must be ${what}`);
}

function areLabels(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(
    ([key, text]) => isLabelKey(key) && typeof text === 'string' && isLabelValue(text),
  );
}

/** Leaves out what is not a label. */
export function labelsFromJson(value: Json | undefined): ReadonlyMap<string, string> {
  if (!isJsonObject(value)) return new Map();
  const pairs = Object.entries(value).filter(([key, text]) => isLabelKey(key) && typeof text === 'string');
  return new Map(pairs.map(([key, text]) => [key, String(text)]));
}

function timeIn(value: Json | undefined): number | undefined {
  return typeof value === 'string' ? parseIsoTime(value) : undefined;
}

function idIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' && isConversationId(value) ? value : undefined;
}
