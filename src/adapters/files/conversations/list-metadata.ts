/** The metadata of every conversation below a directory, from the index as far as it can be believed. */

import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import type { Metadata } from '../../../domain/conversations/conversation.ts';
import { type ConversationId, isConversationId } from '../../../domain/conversations/conversation-id.ts';
import type {
  ConversationIndex,
  IndexedMetadata,
  IndexedRoot,
} from '../../../domain/conversations/conversation-index.ts';

export interface ListPorts {
  readonly index: ConversationIndex;
  readonly clock: Clock;
  read(directory: string): Promise<Metadata | undefined>;
}

/**
 * ken touches the directory whenever it changes something below it, so the index is believed while the directory
 * looks as it did. Others may change a file without that: so long after the last look, every file is looked at.
 */
const BELIEVED_MS = 30_000;

/** File systems tell times in steps; what changed in the same step as we looked might look as it did. */
const CLOCK_STEP_MS = 50;

export async function listMetadata(root: string, ports: ListPorts): Promise<readonly IndexedMetadata[]> {
  const before = stateOf(root);
  if (!before) return [];
  const known = await ports.index.read(root);
  const now = ports.clock.now();
  if (known && isBelieved(known, before.state, now)) return known.conversations;
  const found = await lookAtAll(root, known, ports);
  const stamps = () => found.map(({ stamp }) => stamp);
  const isSettled = now - before.changedAt > CLOCK_STEP_MS;
  const compared = isSettled && { compared: { at: now, state: before.state } };
  // A directory that never had any makes no index.
  if (known || found.length > 0)
    await ports.index.replace(root, { conversations: found, stamps, ...compared });
  return found;
}

interface Stamped extends IndexedMetadata {
  readonly stamp: string;
}

async function lookAtAll(root: string, known: IndexedRoot | undefined, ports: ListPorts): Promise<Stamped[]> {
  const stamps = known?.stamps() ?? [];
  const stamped = known?.conversations.map((each, at): Stamped => ({ ...each, stamp: stamps[at] ?? '' }));
  const indexed = new Map(stamped?.map((each) => [each.id, each]));
  const found: Stamped[] = [];
  for (const id of idsIn(root)) {
    const current = await currentOf(`${root}${path.sep}${id}`, id, indexed.get(id), ports);
    if (current) found.push(current);
  }
  return found;
}

/** Names that are no ids are passed over: what a crash left behind, and what others put there. */
export function idsIn(root: string): ConversationId[] {
  try {
    return readdirSync(root).filter((name) => isConversationId(name));
  } catch {
    return [];
  }
}

function isBelieved({ compared }: IndexedRoot, state: string, now: number): boolean {
  if (compared?.state !== state) return false;
  const age = now - compared.at;
  return age >= 0 && age < BELIEVED_MS;
}

async function currentOf(
  directory: string,
  id: ConversationId,
  indexed: Stamped | undefined,
  { read }: ListPorts,
): Promise<Stamped | undefined> {
  const stamp = stampOf(`${directory}${path.sep}metadata.json`);
  if (stamp === undefined) return undefined;
  if (indexed?.stamp === stamp) return indexed;
  const metadata = await read(directory);
  return metadata && { id, stamp, metadata };
}

/** Every replacement makes a new file, so the inode alone nearly tells; time and size tell the rest. */
function stampOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats && `${stats.ino}-${stats.mtimeMs}-${stats.size}`;
}

function stateOf(root: string): { readonly state: string; readonly changedAt: number } | undefined {
  const stats = statSync(root, { throwIfNoEntry: false });
  return stats && { state: `${stats.ino}-${stats.mtimeMs}-${stats.nlink}`, changedAt: stats.mtimeMs };
}
