/**
 * One of several processes on the conversations below a directory:
 *   append DIRECTORY NAME COUNT ID   appends COUNT events, every fifth to the conversation ID, the others to its own
 *   create DIRECTORY NAME COUNT      makes COUNT conversations and changes the title of each
 * Tells `begin`, a line for each write that was acknowledged, and `end`.
 */

import { writeSync } from 'node:fs';
import { systemIds } from '../../src/adapters/system/primitives.ts';
import type { ConversationId } from '../../src/domain/conversations/conversation-id.ts';
import { isConversationId } from '../../src/domain/conversations/conversation-id.ts';
import { createConversation } from '../../src/domain/conversations/create-conversation.ts';
import { conversationsIn, said } from './conversations-in.ts';

const [mode = '', directory = '', name = '', count = '0', contended = ''] = process.argv.slice(2);
const { store, clock } = conversationsIn(directory);
const patience = new AbortController().signal;
const say = (line: string) => writeSync(1, `${line}\n`);

async function create(title: string): Promise<ConversationId> {
  const ports = { conversations: store, clock, ids: systemIds(clock) };
  const metadata = { title, labels: new Map<string, string>() };
  const start = { isLocal: false, metadata, baseConfig: { assistant: { name } }, events: [said(title)] };
  return (await createConversation(ports, start)).id;
}

async function append(id: ConversationId, text: string): Promise<void> {
  const writer = await store.write(id, patience);
  if (!writer) throw new Error(`${id} is gone`);
  await writer.append([said(text), said(`${text} again`)]);
  await writer.release();
  say(`${id} ${text}`);
}

async function retitle(id: ConversationId, title: string): Promise<void> {
  const writer = await store.write(id);
  const conversation = await store.get(id);
  if (!writer || !conversation) throw new Error(`${id} is gone`);
  await writer.putMetadata({ ...conversation.metadata, title });
  await writer.release();
  say(`${id} ${title}`);
}

say('begin');
const own = mode === 'append' ? await create(name) : undefined;
for (let number = 0; number < Number(count); number++) {
  if (own) {
    const isShared = number % 5 === 0 && isConversationId(contended);
    await append(isShared ? contended : own, `${name}-${number}`);
  } else {
    const id = await create(`${name}-${number}`);
    say(`${id} ${name}-${number}`);
    await retitle(id, `${name}-${number} renamed`);
  }
}
const listed = await store.list({ labels: [], archived: 'with', local: 'with' });
if (listed.length === 0) throw new Error('nothing is listed');
say('end');
