/** Lists every conversation below a directory, from its list file while that is valid. */

import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../../../base/fault.ts';
import type { Clock } from '../../../base/time.ts';
import type { Conversation, Metadata } from '../../../domain/conversations/conversation.ts';
import { type ConversationId, isConversationId } from '../../../domain/conversations/conversation-id.ts';
import { namesIn } from '../../paths/change-directory.ts';
import { statPlain } from '../../paths/open-path.ts';
import { isSystemError } from '../file-fault.ts';
import { type ConversationList, type ListPlace, readList, writeList } from './list-file.ts';

export interface ListPorts {
  readonly clock: Clock;
  /** Undefined when the directory is not a conversation. */
  read(directory: string): Metadata | undefined;
}

export interface ListedRoot {
  readonly directory: string;
  readonly list: string;
}

/**
 * ken touches the directory at every change below it, so the list is valid while the directory is unchanged. Other
 * programs may not: after this time every file is checked.
 */
const VALID_MS = 30_000;

/** Times of files have steps: a change in the same step as the check may not show. */
const CLOCK_STEP_MS = 50;

export function listConversations(
  { directory, list, isLocal }: ListedRoot & Pick<Conversation, 'isLocal'>,
  ports: ListPorts,
): readonly Conversation[] {
  const before = stateOf(directory);
  if (!before) return [];
  const place = { file: list, directory, isLocal };
  const known = readList(place);
  const now = ports.clock.now();
  if (known && isValid(known, before.state, now)) return known.conversations;
  const { conversations, stamps } = readAll(place, known, ports);
  const isSettled = now - before.changedAt > CLOCK_STEP_MS;
  const compared = isSettled && { compared: { at: now, state: before.state } };
  // A directory that never had conversations gets no list.
  if (known || conversations.length > 0)
    writeList(place, { conversations, stamps: () => stamps, ...compared });
  return conversations;
}

function readAll(
  { directory: root, isLocal }: Pick<ListPlace, 'directory' | 'isLocal'>,
  known: ConversationList | undefined,
  { read }: ListPorts,
): { readonly conversations: readonly Conversation[]; readonly stamps: readonly string[] } {
  const knownStamps = known?.stamps() ?? [];
  const rows = new Map(known?.conversations.map(({ id }, row) => [id, row]));
  const conversations: Conversation[] = [];
  const stamps: string[] = [];
  for (const id of idsIn(root)) {
    const directory = `${root}${path.sep}${id}`;
    const stamp = stampOf(`${directory}${path.sep}metadata.json`);
    if (stamp === undefined) continue;
    const row = rows.get(id);
    const isKnown = row !== undefined && knownStamps[row] === stamp;
    const metadata = isKnown ? known?.conversations[row]?.metadata : unlessFault(() => read(directory));
    if (!metadata) continue;
    conversations.push({ id, isLocal, metadata });
    stamps.push(stamp);
  }
  return { conversations, stamps };
}

/** Skips names that are not ids, such as leftovers of a crash. */
export function idsIn(root: string): ConversationId[] {
  return namesOrNone(root).filter((name) => isConversationId(name));
}

function isValid({ compared }: ConversationList, state: string, now: number): boolean {
  if (compared?.state !== state) return false;
  const age = now - compared.at;
  return age >= 0 && age < VALID_MS;
}

/** Every replacement makes a new file with another inode; time and size show changes by other programs. */
function stampOf(file: string): string | undefined {
  const stats = unlessFault(() => lstatSync(file, { throwIfNoEntry: false }));
  return stats?.isFile() ? `${stats.ino}-${stats.mtimeMs}-${stats.size}` : undefined;
}

function stateOf(root: string): { readonly state: string; readonly changedAt: number } | undefined {
  const stats = unlessUnreadable(() => statPlain(root));
  return stats && { state: `${stats.ino}-${stats.mtimeMs}-${stats.nlink}`, changedAt: stats.mtimeMs };
}

/** All names in a directory of conversations; none when it may not be read. A link in its place is a Fault. */
export function namesOrNone(root: string): string[] {
  return unlessUnreadable(() => namesIn(root)) ?? [];
}

/** One conversation that cannot be read does not take the others away; `ken doctor` names it. */
function unlessFault<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Fault || isSystemError(error)) return undefined;
    throw error;
  }
}

function unlessUnreadable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
