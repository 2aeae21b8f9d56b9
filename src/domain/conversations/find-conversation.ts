/** Which conversation a person means. */

import { Fault } from '../../base/fault.ts';
import type { Conversation } from './conversation.ts';
import { type ConversationId, selectConversation } from './conversation-id.ts';
import type { ConversationStore } from './store.ts';

export interface FindPorts {
  readonly conversations: ConversationStore;
  readonly activeConversations: ActiveConversations;
}

/** An id or a part of one, `@last` (the most recent), `@active` (this terminal's) or `@prev` (its one before). */
export async function findConversation(ports: FindPorts, target: string): Promise<Conversation> {
  return readConversation(ports, await findConversationId(ports, target));
}

/** A Fault when it is there and cannot be read. */
export async function readConversation(
  { conversations }: Pick<FindPorts, 'conversations'>,
  id: ConversationId,
): Promise<Conversation> {
  const conversation = await conversations.get(id);
  if (conversation) return conversation;
  throw new Fault('conversations/not-found', `The conversation ${id} cannot be read.`, {
    hint: '"ken doctor" says what is wrong with it.',
  });
}

export async function findConversationId(ports: FindPorts, target: string): Promise<ConversationId> {
  if (!target.startsWith('@')) return selectConversation(target, await ports.conversations.ids());
  const found = await KEYWORDS[target]?.(ports);
  if (found) return found;
  const isKnown = Object.hasOwn(KEYWORDS, target);
  throw new Fault(
    isKnown ? 'conversations/not-found' : 'conversations/bad-id',
    isKnown ? `There is no ${target} conversation.` : `"${target}" is not a way to name a conversation.`,
    { hint: isKnown ? '"ken c ls" lists them.' : 'Use an id, @last, @prev or @active.' },
  );
}

/** This terminal's conversation, if it has one that still exists. */
export async function activeConversation(ports: FindPorts): Promise<ConversationId | undefined> {
  return existing(ports, 0);
}

const KEYWORDS: Readonly<Record<string, (ports: FindPorts) => Promise<ConversationId | undefined>>> = {
  '@active': activeConversation,
  '@prev': (ports) => existing(ports, 1),
  '@last': async ({ conversations }) => {
    const [first] = (await conversations.list({ labels: [], archived: 'without', local: 'with' })).toSorted(
      (a, b) => b.metadata.activeAt - a.metadata.activeAt,
    );
    return first?.id;
  },
};

/** The nth of the terminal's conversations that are still there. */
async function existing(ports: FindPorts, position: number): Promise<ConversationId | undefined> {
  const [history, ids] = await Promise.all([ports.activeConversations.history(), ports.conversations.ids()]);
  const there = new Set(ids);
  return history.filter((id) => there.has(id))[position];
}

/** Which conversation each terminal is in. What it says may be gone by now. */
export interface ActiveConversations {
  /** The newest first; empty where this terminal cannot be told from others. */
  history(): Promise<readonly ConversationId[]>;
  /** Makes it the active one. */
  activate(id: ConversationId): Promise<void>;
}
