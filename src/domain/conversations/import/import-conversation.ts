/** An imported conversation takes its place among the others, once. */

import { memberOf } from '../../../base/json.ts';
import type { Labels } from '../../labels/label.ts';
import type { Conversation, Metadata } from '../conversation.ts';
import { type CreatePorts, createConversation } from '../create-conversation.ts';
import type { ConversationEvent } from '../event.ts';
import { eventLine } from '../event-line.ts';
import type { ImportedConversation } from './imported-conversation.ts';

/** `grown`: its source has gone on since, and so has it. `kept`: it is there and stays as it is. */
export interface ImportEnd {
  readonly what: 'imported' | 'grown' | 'unchanged' | 'kept';
  readonly conversation: Conversation;
}

export interface ImportPlace {
  readonly isLocal: boolean;
  readonly labels: Labels;
}

export async function importConversation(
  ports: CreatePorts,
  imported: ImportedConversation,
  { isLocal, labels }: ImportPlace,
): Promise<ImportEnd> {
  const known = await importedBefore(ports, imported);
  if (known) return bringUpToDate(ports, known, imported);
  const metadata = { ...imported.metadata, labels };
  const conversation = await createConversation(ports, {
    isLocal,
    metadata,
    baseConfig: {},
    events: imported.events,
  });
  return { what: 'imported', conversation };
}

/** The conversation that this transcript became before, or that it is an export of. */
async function importedBefore(
  { conversations }: CreatePorts,
  { metadata }: ImportedConversation,
): Promise<Conversation | undefined> {
  const origin = originOf(metadata);
  const all = await conversations.list({ labels: [], archived: 'with', local: 'with' });
  return all.find(({ id, metadata: each }) => originOf(each) === origin || `ken ${id}` === origin);
}

function originOf({ others }: Metadata): string | undefined {
  const imported = memberOf(others, 'imported');
  return imported === undefined
    ? undefined
    : `${String(memberOf(imported, 'from'))} ${String(memberOf(imported, 'id'))}`;
}

/** Appends what is new where it is still the beginning of its source; what went its own way stays. */
async function bringUpToDate(
  { conversations }: CreatePorts,
  conversation: Conversation,
  { events, metadata }: ImportedConversation,
): Promise<ImportEnd> {
  const { id } = conversation;
  const present = (await conversations.log(id))?.events ?? [];
  if (!isBeginning(present, events)) return { what: 'kept', conversation };
  if (present.length === events.length) return { what: 'unchanged', conversation };
  const writer = await conversations.write(id);
  if (!writer) return { what: 'kept', conversation };
  try {
    // Read again as the one writer: somebody may have been faster.
    const current = (await conversations.log(id))?.events ?? [];
    const there = (await conversations.get(id)) ?? conversation;
    if (!isBeginning(current, events)) return { what: 'kept', conversation: there };
    await writer.append(events.slice(current.length));
    await writer.putMetadata({ ...there.metadata, activeAt: metadata.activeAt });
    return { what: 'grown', conversation: there };
  } finally {
    await writer.release();
  }
}

function isBeginning(present: readonly ConversationEvent[], whole: readonly ConversationEvent[]): boolean {
  if (present.length > whole.length) return false;
  return present.every((event, at) => {
    const other = whole[at];
    return other !== undefined && eventLine(event) === eventLine(other);
  });
}
