/** `metadata.json`: what it says, and saying it. Keys of others come back unchanged. */

import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { isoTime, parseIsoTime } from '../../base/time.ts';
import { isLabelKey } from '../labels/label-key.ts';
import { isLabelValue } from '../labels/label-value.ts';
import type { Metadata } from './conversation.ts';
import { isConversationId } from './conversation-id.ts';

const OWN_KEYS = ['title', 'created_at', 'active_at', 'labels', 'pinned_at', 'archived_at', 'parent'];

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

/** `undefined` when it is not the metadata of a conversation. What a single key says wrongly is left out. */
export function metadataFromJson(json: Json | undefined): Metadata | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const value = json as JsonObject;
  const createdAt = timeIn(value.created_at);
  if (createdAt === undefined) return undefined;
  const pinnedAt = timeIn(value.pinned_at);
  const archivedAt = timeIn(value.archived_at);
  const others = Object.entries(value).filter(([key]) => !OWN_KEYS.includes(key));
  return {
    createdAt,
    activeAt: timeIn(value.active_at) ?? createdAt,
    labels: labelsFromJson(value.labels),
    ...(typeof value.title === 'string' && { title: value.title }),
    ...(pinnedAt !== undefined && { pinnedAt }),
    ...(archivedAt !== undefined && { archivedAt }),
    ...(typeof value.parent === 'string' && isConversationId(value.parent) && { parent: value.parent }),
    others: Object.fromEntries(others),
  };
}

/** What its own keys say wrongly, a part of a sentence each. */
export function metadataProblems(json: Json | undefined): readonly string[] {
  if (!isJsonObject(json)) return ['it is no JSON object'];
  const times = ['created_at', 'active_at', 'pinned_at', 'archived_at'].filter(
    (key) => (json[key] !== undefined || key === 'created_at') && timeIn(json[key]) === undefined,
  );
  const { title, parent, labels } = json;
  return [
    ...times.map((key) => `${key} must be a time`),
    ...(title === undefined || typeof title === 'string' ? [] : ['title must be a text']),
    ...(parent === undefined || (typeof parent === 'string' && isConversationId(parent))
      ? []
      : ['parent must be the id of a conversation']),
    ...(labels === undefined || areLabels(labels)
      ? []
      : ['labels must be an object of label keys and texts of one line']),
  ];
}

function areLabels(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(
    ([key, text]) => isLabelKey(key) && typeof text === 'string' && isLabelValue(text),
  );
}

/** What is no label is left out. */
export function labelsFromJson(value: Json | undefined): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  const pairs = Object.entries(value).filter(([key, text]) => isLabelKey(key) && typeof text === 'string');
  return new Map(pairs.map(([key, text]) => [key, String(text)]));
}

function timeIn(value: Json | undefined): number | undefined {
  return typeof value === 'string' ? parseIsoTime(value) : undefined;
}
