/** Shared by the commands that change conversations: their targets, and one writer each. */

import type { WorkspaceApp } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import type { Conversation } from '../../../../domain/conversations/conversation.ts';
import type { ConversationId } from '../../../../domain/conversations/conversation-id.ts';
import {
  type FindPorts,
  findConversationId,
  readConversation,
} from '../../../../domain/conversations/find-conversation.ts';
import type { ConversationWriter } from '../../../../domain/conversations/store.ts';
import type { Terminal } from '../../terminal.ts';

/** All targets; `-` stands for the ids on standard input. */
export async function targetsOf(
  app: FindPorts,
  targets: readonly string[],
  terminal: Terminal,
): Promise<Conversation[]> {
  const ids = await targetIds(app, targets, terminal);
  return Promise.all(ids.map((id) => readConversation(app, id)));
}

/** The ids of all targets, each once, without checking that they can be read. */
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

/** Like `targetOf`, also for a conversation that cannot be read. */
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

/** Runs `work` as the only writer. On a terminal it waits for another writer; elsewhere that is a Fault. */
export async function asWriter<Result>(
  app: WorkspaceApp,
  { id }: Conversation,
  wait: { terminal: Terminal; signal: AbortSignal },
  work: (writer: ConversationWriter, current: Conversation) => Promise<Result>,
): Promise<Result> {
  const writer = await app.conversations.write(id, wait.terminal.isInteractive ? wait.signal : undefined);
  const current = await app.conversations.get(id);
  if (!writer || !current) {
    await writer?.release();
    throw new Fault('conversations/not-found', `The conversation ${id} is gone.`);
  }
  try {
    return await work(writer, current);
  } finally {
    await writer.release();
  }
}
