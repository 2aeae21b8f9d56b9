import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import type { Metadata } from '../../../domain/conversations/conversation.ts';
import type { ConversationTrouble } from '../../../domain/conversations/trouble.ts';
import { readEventLog } from './event-log.ts';
import { idsIn } from './list-metadata.ts';

export interface TroublePorts {
  readonly clock: Clock;
  read(directory: string): Promise<Metadata | undefined>;
}

/** Looks at every conversation below `root`, until `signal` aborts. */
export async function findTroubles(
  root: string,
  ports: TroublePorts,
  signal: AbortSignal,
): Promise<ConversationTrouble[]> {
  const troubles = leftovers(root, ports.clock.now());
  for (const id of idsIn(root)) {
    signal.throwIfAborted();
    const directory = path.join(root, id);
    if (!(await ports.read(directory)))
      troubles.push({
        kind: 'metadata',
        path: path.join(directory, 'metadata.json'),
        detail: 'is not the metadata of a conversation',
      });
    troubles.push(...(await logTroubles(path.join(directory, 'events.jsonl'))));
  }
  return troubles;
}

async function logTroubles(file: string): Promise<ConversationTrouble[]> {
  const log = await readEventLog(file).catch(() => undefined);
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

/** Younger ones may be in the making. */
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
