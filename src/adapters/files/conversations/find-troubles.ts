import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Fault } from '../../../base/fault.ts';
import type { Metadata } from '../../../domain/conversations/conversation.ts';
import { isConversationId } from '../../../domain/conversations/conversation-id.ts';
import type { ConversationTrouble } from '../../../domain/conversations/store.ts';
import { abandonedIn } from '../../paths/change-directory.ts';
import { inDirectory, statPlain } from '../../paths/open-path.ts';
import { namesOrNone } from './list-conversations.ts';
import { readEventLog } from './read-event-log.ts';

export interface TroublePorts {
  read(directory: string): Metadata | undefined;
}

export async function findTroubles(
  root: string,
  ports: TroublePorts,
  signal: AbortSignal,
): Promise<ConversationTrouble[]> {
  const troubles = leftovers(root);
  for (const id of namesOrNone(root).filter(isConversationId)) {
    // Lets an abort be noticed between two conversations.
    await setImmediate();
    signal.throwIfAborted();
    const directory = path.join(root, id);
    if (!withoutFault(() => ports.read(directory)))
      troubles.push({
        kind: 'metadata',
        path: path.join(directory, 'metadata.json'),
        detail: 'is not the metadata of a conversation',
      });
    troubles.push(...logTroubles(path.join(directory, 'events.jsonl')));
  }
  return troubles;
}

function logTroubles(file: string): ConversationTrouble[] {
  const log = withoutFault(() => readEventLog(file));
  if (!log) return [{ kind: 'log', path: file, detail: 'cannot be read' }];
  const lines = log.unreadable.length > 0 ? [`line ${log.unreadable.slice(0, 5).join(', ')}`] : [];
  return [
    ...lines.map((where) => ({
      kind: 'log' as const,
      path: file,
      detail: `has something that is not an event in ${where}`,
    })),
    ...(log.torn === undefined ? [] : [{ kind: 'torn' as const, path: file, detail: 'ends in half a line' }]),
  ];
}

function withoutFault<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function leftovers(root: string): ConversationTrouble[] {
  if (!statPlain(root)?.isDirectory()) return [];
  return inDirectory(root, abandonedIn).map((name) => ({
    kind: 'leftover',
    path: path.join(root, name),
    detail: 'was left behind by a crash',
  }));
}
