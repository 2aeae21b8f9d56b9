import { Fault } from '../../base/fault.ts';
import type { Conversation } from './conversation.ts';
import { type ConversationId, selectConversation } from './conversation-id.ts';
import type { ConversationStore, ConversationWriter } from './store.ts';

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
    hint: '"ken doctor" reports what is wrong with it.',
  });
}

/** Runs `work` as the only writer, with the conversation as it is now. Waits for another one until `wait` aborts. */
export async function asWriter<Result>(
  { conversations }: Pick<FindPorts, 'conversations'>,
  { id }: Conversation,
  wait: AbortSignal | undefined,
  work: (writer: ConversationWriter, current: Conversation) => Promise<Result>,
): Promise<Result> {
  const writer = await conversations.write(id, wait);
  try {
    const current = writer && (await conversations.get(id));
    if (writer && current) return await work(writer, current);
    throw new Fault('conversations/not-found', `The conversation ${id} is gone.`);
  } finally {
    await writer?.release();
  }
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

/** Undefined if it no longer exists. */
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

/** Finds the nth conversation of this terminal that still exists. */
async function existing(ports: FindPorts, position: number): Promise<ConversationId | undefined> {
  const [history, ids] = await Promise.all([ports.activeConversations.history(), ports.conversations.ids()]);
  const there = new Set(ids);
  return history.filter((id) => there.has(id))[position];
}

/** Remembers which conversations each terminal used; some may no longer exist. */
export interface ActiveConversations {
  /** Newest first; empty where terminals cannot be told apart. */
  history(): Promise<readonly ConversationId[]>;
  activate(id: ConversationId): Promise<void>;
}
