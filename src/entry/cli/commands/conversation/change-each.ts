import { Fault } from '../../../../base/fault.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import type { ConversationId } from '../../../../domain/conversations/conversation-id.ts';
import {
  type FindPorts,
  findConversationId,
  readConversation,
} from '../../../../domain/conversations/find-conversation.ts';
import type { ArgumentSpec, Invocation } from '../../command.ts';
import type { Terminal } from '../../terminal.ts';

export const CONVERSATION: ArgumentSpec = {
  name: 'id',
  summary: 'an id or a part of it, - for standard input',
  required: true,
  complete: 'conversations',
};
export const CONVERSATION_OR_ACTIVE: ArgumentSpec = {
  ...CONVERSATION,
  summary: `${CONVERSATION.summary}; this terminal’s if absent`,
  required: false,
};
export const CONVERSATIONS: ArgumentSpec = {
  ...CONVERSATION,
  summary: 'ids or parts of them; - for standard input',
  variadic: true,
};

/** All targets; `-` stands for the ids on standard input. */
export async function targetsOf(
  app: FindPorts,
  targets: readonly string[],
  terminal: Terminal,
): Promise<Conversation[]> {
  const ids = await targetIds(app, targets, terminal);
  return Promise.all(ids.map((id) => readConversation(app, id)));
}

/** Each id once, without checking that the conversation can be read. */
async function targetIds(
  app: FindPorts,
  targets: readonly string[],
  terminal: Terminal,
): Promise<ConversationId[]> {
  const words = await Promise.all(
    targets.map(async (target) => (target === '-' ? idsFromInput(terminal) : [target])),
  );
  const ids = new Set<ConversationId>();
  for (const word of words.flat()) ids.add(await findConversationId(app, word));
  return [...ids];
}

/** The one target; `-` stands for the only id on standard input. */
export async function targetOf(app: FindPorts, target: string, terminal: Terminal): Promise<Conversation> {
  return readConversation(app, await targetIdOf(app, target, terminal));
}

export async function targetIdOf(
  app: FindPorts,
  target: string,
  terminal: Terminal,
): Promise<ConversationId> {
  const ids = await targetIds(app, [target], terminal);
  const [only] = ids;
  if (only && ids.length === 1) return only;
  const given = ids.length === 0 ? 'none was given' : `${ids.length} were given`;
  throw new Fault('cli/usage', `This takes one conversation, and ${given}.`);
}

async function idsFromInput(terminal: Terminal): Promise<string[]> {
  const input = await terminal.readInput();
  if (!input)
    throw new Fault('cli/usage', 'There are no ids to read.', { hint: 'Pipe them in, one a line.' });
  const ids = new TextDecoder().decode(input).split(/\s+/);
  return ids.filter((word) => word !== '');
}

/** On a terminal a command waits for another writer; elsewhere that is a Fault. */
export function waitFor({
  terminal,
  signal,
}: Pick<Invocation, 'terminal' | 'signal'>): AbortSignal | undefined {
  return terminal.isInteractive ? signal : undefined;
}
