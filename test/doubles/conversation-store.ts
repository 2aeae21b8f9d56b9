import { Fault } from '../../src/base/fault.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { compareCodePoints } from '../../src/base/text.ts';
import type { Conversation } from '../../src/domain/conversations/conversation.ts';
import { ordered } from '../../src/domain/conversations/conversation.ts';
import type { ConversationId } from '../../src/domain/conversations/conversation-id.ts';
import type { ConversationEvent } from '../../src/domain/conversations/event.ts';
import type { ConversationStore, ConversationWriter } from '../../src/domain/conversations/store.ts';

interface Kept {
  conversation: Conversation;
  baseConfig: JsonObject;
  events: readonly ConversationEvent[];
  isBeingWritten: boolean;
}

export function memoryConversationStore(): ConversationStore {
  const kept = new Map<ConversationId, Kept>();

  function writerOf(id: ConversationId, entry: Kept): ConversationWriter {
    entry.isBeingWritten = true;
    return {
      async append(events) {
        entry.events = [...entry.events, ...events];
      },
      async putMetadata(metadata) {
        entry.conversation = { ...entry.conversation, metadata };
      },
      async replaceEvents(events) {
        entry.events = events;
      },
      async replaceBaseConfig(config) {
        entry.baseConfig = config;
      },
      async remove() {
        kept.delete(id);
      },
      async release() {
        entry.isBeingWritten = false;
      },
    };
  }

  return {
    async create({ id, isLocal, metadata, baseConfig, events }) {
      if (kept.has(id)) throw new Fault('files/exists', `There is a conversation ${id} already.`);
      const conversation = { id, isLocal, metadata };
      kept.set(id, { conversation, baseConfig, events, isBeingWritten: false });
      return conversation;
    },
    get: async (id) => kept.get(id)?.conversation,
    ids: async () => [...kept.keys()].sort(compareCodePoints),
    list: async (query) =>
      ordered(
        [...kept.values()].map(({ conversation }) => conversation),
        query,
      ),
    async parts(id) {
      const events = kept.get(id)?.events;
      return events && [{ stamp: JSON.stringify(events), events: async () => events }];
    },
    async log(id) {
      const entry = kept.get(id);
      return entry && { events: entry.events, unreadable: [] };
    },
    scan: async (id) => kept.get(id)?.events,
    baseConfig: async (id) => kept.get(id)?.baseConfig,
    async write(id) {
      const entry = kept.get(id);
      if (entry?.isBeingWritten) {
        throw new Fault('conversations/busy', 'This conversation is being written by this process.');
      }
      return entry && writerOf(id, entry);
    },
    troubles: async () => [],
    pathOf: async () => undefined,
  };
}
