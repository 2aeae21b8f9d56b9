/** Conversations of a team as a store that can be read. */

import { Fault } from '../../../base/fault.ts';
import { type Conversation, ordered } from '../../conversations/conversation.ts';
import type { ConversationStore } from '../../conversations/store.ts';
import { eventsIn, type SharedConversation, type SharedConversations } from './shared-conversations.ts';

export function sharedConversationStore(shared: SharedConversations): ConversationStore {
  const asConversation = ({ id, metadata }: SharedConversation): Conversation => ({
    id,
    isLocal: false,
    metadata,
  });
  const log: ConversationStore['log'] = async (id) => {
    const lines = await shared.lines(id);
    return lines === undefined ? undefined : eventsIn(lines);
  };
  return {
    async create() {
      throw readOnly();
    },
    async get(id) {
      const found = await shared.get(id);
      return found && asConversation(found);
    },
    ids: async () => (await shared.list()).map(({ id }) => id),
    list: async (query) => ordered((await shared.list()).map(asConversation), query),
    log,
    scan: async (id) => (await log(id))?.events,
    async parts(id) {
      const found = await shared.get(id);
      return found && [{ stamp: found.digest, events: async () => (await log(id))?.events ?? [] }];
    },
    baseConfig: async (id) => ((await shared.get(id)) ? {} : undefined),
    async write() {
      throw readOnly();
    },
    troubles: async () => [],
    pathOf: async () => undefined,
  };
}

function readOnly(): Fault {
  return new Fault('team/denied', 'Conversations of the team can only be read here.', {
    hint: 'Its owner shares it anew with "ken team push --conversation".',
  });
}
