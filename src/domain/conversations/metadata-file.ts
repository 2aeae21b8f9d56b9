/** `metadata.json`: what it says, and saying it. Keys of others come back unchanged. */

import type { Json, JsonObject } from '../../base/json.ts';
import { isoTime, parseIsoTime } from '../../base/time.ts';
import { isLabelKey } from '../labels/label-key.ts';
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

/** What is no label is left out. */
export function labelsFromJson(value: Json | undefined): ReadonlyMap<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  const pairs = Object.entries(value).filter(([key, text]) => isLabelKey(key) && typeof text === 'string');
  return new Map(pairs.map(([key, text]) => [key, String(text)]));
}

function timeIn(value: Json | undefined): number | undefined {
  return typeof value === 'string' ? parseIsoTime(value) : undefined;
}
