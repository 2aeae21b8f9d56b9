/** An imported conversation takes its place among the others, once. */

import { memberOf } from '../../../base/json.ts';
import type { NewLabels } from '../change-labels.ts';
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

export interface ImportPlace extends NewLabels {
  readonly isLocal: boolean;
}

export async function importConversation(
  ports: CreatePorts,
  imported: ImportedConversation,
  { isLocal, labels, decisions }: ImportPlace,
): Promise<ImportEnd> {
  const known = await importedBefore(ports, imported);
  if (known) return bringUpToDate(ports, known, imported);
  const metadata = { ...imported.metadata, labels };
  const conversation = await createConversation(ports, {
    isLocal,
    metadata,
    baseConfig: {},
    events: [...decisions, ...imported.events],
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
  const [from, id] = [memberOf(imported, 'from'), memberOf(imported, 'id')];
  return typeof from === 'string' && typeof id === 'string' ? `${from} ${id}` : undefined;
}

/** Appends what is new where it is still the beginning of its source; what went its own way stays. */
async function bringUpToDate(
  { conversations }: CreatePorts,
  conversation: Conversation,
  { events, metadata }: ImportedConversation,
): Promise<ImportEnd> {
  const { id } = conversation;
  const present = (await conversations.log(id))?.events ?? [];
  const imported = importedCount(present, events);
  if (imported === undefined) return { what: 'kept', conversation };
  if (imported === events.length) return { what: 'unchanged', conversation };
  const writer = await conversations.write(id);
  if (!writer) return { what: 'kept', conversation };
  try {
    // Read again as the one writer: somebody may have been faster.
    const current = (await conversations.log(id))?.events ?? [];
    const there = (await conversations.get(id)) ?? conversation;
    const count = importedCount(current, events);
    if (count === undefined) return { what: 'kept', conversation: there };
    await writer.append(events.slice(count));
    await writer.putMetadata({ ...there.metadata, activeAt: metadata.activeAt });
    return { what: 'grown', conversation: there };
  } finally {
    await writer.release();
  }
}

/**
 * How many of the transcript's events are here; undefined when it went its own way. What was decided when it was
 * imported stands before them.
 */
function importedCount(
  present: readonly ConversationEvent[],
  whole: readonly ConversationEvent[],
): number | undefined {
  for (let own = 0; ; own++) {
    const rest = present.slice(own);
    if (isBeginning(rest, whole)) return rest.length;
    if (present[own]?.type !== 'approval') return undefined;
  }
}

function isBeginning(present: readonly ConversationEvent[], whole: readonly ConversationEvent[]): boolean {
  if (present.length > whole.length) return false;
  return present.every((event, at) => {
    const other = whole[at];
    return other !== undefined && eventLine(event) === eventLine(other);
  });
}
