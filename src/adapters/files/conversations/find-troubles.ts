import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Fault } from '../../../base/fault.ts';
import type { Clock } from '../../../base/time.ts';
import type { Metadata } from '../../../domain/conversations/conversation.ts';
import type { ConversationTrouble } from '../../../domain/conversations/store.ts';
import { idsIn } from './list-conversations.ts';
import { readEventLog } from './read-event-log.ts';

export interface TroublePorts {
  readonly clock: Clock;
  read(directory: string): Metadata | undefined;
}

/** Checks every conversation below `root`, until `signal` aborts. */
export async function findTroubles(
  root: string,
  ports: TroublePorts,
  signal: AbortSignal,
): Promise<ConversationTrouble[]> {
  const troubles = leftovers(root, ports.clock.now());
  for (const id of idsIn(root)) {
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
      detail: `has what is no event in ${where}`,
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

/** Younger ones may still be in use. */
const LEFT_MS = 3_600_000;

function leftovers(root: string, now: number): ConversationTrouble[] {
  return namesIn(root)
    .filter((name) => /^\.(?:new|gone)-/.test(name))
    .map((name) => path.join(root, name))
    .filter((each) => now - (statSync(each, { throwIfNoEntry: false })?.mtimeMs ?? now) > LEFT_MS)
    .map((each) => ({ kind: 'leftover', path: each, detail: 'was left behind by a crash' }));
}

function namesIn(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
