import { memberOf } from '../../../base/json.ts';
import type { NewLabels } from '../change-labels.ts';
import type { Conversation, Metadata } from '../conversation.ts';
import { type CreatePorts, createConversation } from '../create-conversation.ts';
import type { ConversationEvent } from '../event.ts';
import { eventLine } from '../event-line.ts';
import type { ImportedConversation } from './imported-conversation.ts';

/** `grown`: events were added to it. `kept`: it exists and stays unchanged. */
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

/** Whether an import would find the conversation of an earlier one. */
export async function isImported(ports: CreatePorts, imported: ImportedConversation): Promise<boolean> {
  return (await importedBefore(ports, imported)) !== undefined;
}

/** Finds the conversation that this transcript became before, or was exported from. */
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

/** Appends new events, unless the conversation was continued in ken. */
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
    // Read again under the lock: another process may have been faster.
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

/** Number of the transcript's events here, after decisions made at the import; undefined if they diverged. */
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
