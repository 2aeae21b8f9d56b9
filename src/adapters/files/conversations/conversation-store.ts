import path from 'node:path';
import { isJsonObject, type Json, parseJson } from '../../../base/json.ts';
import { compareCodePoints } from '../../../base/text.ts';
import type { Metadata } from '../../../domain/conversations/conversation.ts';
import { ordered } from '../../../domain/conversations/conversation.ts';
import { type ConversationId, isConversationId } from '../../../domain/conversations/conversation-id.ts';
import { metadataFromJson } from '../../../domain/conversations/metadata-file.ts';
import type { ConversationStore } from '../../../domain/conversations/store.ts';
import type { WriterPorts } from './conversation-writer.ts';
import { idsIn, type ListedRoot, listConversations } from './list-conversations.ts';
import { isOwnDirectory, logParts, readEventLog, readOwnFile, scanEventLog } from './read-event-log.ts';

export interface ConversationPlaces extends WriterPorts {
  readonly shared: ListedRoot;
  readonly local: ListedRoot;
}

export function fileConversationStore(places: ConversationPlaces): ConversationStore {
  const roots = [
    { ...places.shared, isLocal: false },
    { ...places.local, isLocal: true },
  ];

  function find(id: ConversationId): { readonly directory: string; readonly isLocal: boolean } | undefined {
    if (!isConversationId(id)) return undefined;
    for (const { directory, isLocal } of roots) {
      const candidate = path.join(directory, id);
      if (isOwnDirectory(candidate)) return { directory: candidate, isLocal };
    }
    return undefined;
  }

  return {
    async create(start) {
      const { createDirectory } = await import('./conversation-writer.ts');
      const root = start.isLocal ? places.local : places.shared;
      await createDirectory(root.directory, start);
      return { id: start.id, isLocal: start.isLocal, metadata: start.metadata };
    },
    async get(id) {
      const found = find(id);
      const metadata = found && readMetadata(found.directory);
      return found && metadata && { id, isLocal: found.isLocal, metadata };
    },
    async ids() {
      return roots.flatMap(({ directory }) => idsIn(directory)).sort(compareCodePoints);
    },
    async list(query) {
      const wanted = roots.filter(({ isLocal }) => query.local !== (isLocal ? 'without' : 'only'));
      return ordered(
        wanted.flatMap((root) => listConversations(root, { ...places, read: readMetadata })),
        query,
      );
    },
    async log(id) {
      const found = find(id);
      return found && readEventLog(path.join(found.directory, 'events.jsonl'));
    },
    async scan(id, fragment) {
      const found = find(id);
      return found && scanEventLog(path.join(found.directory, 'events.jsonl'), fragment);
    },
    async parts(id) {
      const found = find(id);
      return found && logParts(path.join(found.directory, 'events.jsonl'));
    },
    async baseConfig(id) {
      const found = find(id);
      const json = found && readJson(path.join(found.directory, 'base_config.json'));
      return isJsonObject(json) ? json : undefined;
    },
    async write(id, wait) {
      const found = find(id);
      if (!found) return undefined;
      const { openWriter } = await import('./conversation-writer.ts');
      return openWriter(found.directory, places, wait);
    },
    async troubles(signal) {
      const { findTroubles } = await import('./find-troubles.ts');
      const ports = { ...places, read: readMetadata };
      const found = roots.map(({ directory }) => findTroubles(directory, ports, signal));
      return (await Promise.all(found)).flat();
    },
    async pathOf(id) {
      return find(id)?.directory;
    },
  };
}

/** Undefined when the file is missing or has no metadata; `ken doctor` reports a broken conversation. */
function readMetadata(directory: string): Metadata | undefined {
  return metadataFromJson(readJson(path.join(directory, 'metadata.json')));
}

function readJson(file: string): Json | undefined {
  const bytes = readOwnFile(file);
  return bytes && parseJson(bytes.toString('utf8'));
}
