/** Finds and mends damage in files: leftovers, stale locks, modes, and torn or unreadable lines. */

import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fsyncSync,
  lstatSync,
  readdirSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { memberOf, parseJson } from '../../base/json.ts';
import { isoTime } from '../../base/time.ts';
import type { Repair } from '../../domain/backup/repair.ts';
import { isConversationId } from '../../domain/conversations/conversation-id.ts';
import { metadataFromJson } from '../../domain/conversations/metadata-file.ts';
import type { HeldLock, WriterLocks } from '../../domain/conversations/writer-lock.ts';
import {
  abandonedIn,
  isRunning,
  makeDirectories,
  namesIn,
  remove,
  renameIn,
  temporaryName,
} from '../paths/change-directory.ts';
import { inDirectory, openFile, readPlainFile, statPlain } from '../paths/open-path.ts';
import { writeAtomically } from './atomic-write.ts';
import { goodLines, readEventLog } from './conversations/read-event-log.ts';

export interface FileRepairPlaces {
  /** Directories in which ken writes, and so may leave temporary files. */
  readonly written: readonly string[];
  /** Directories of the operator's alone, with everything below them. */
  readonly own: readonly string[];
  /** Directories that others may read but not write to. */
  readonly believed: readonly string[];
  /** Directories of conversations. */
  readonly conversations: readonly string[];
  readonly areLogsRead: boolean;
  /** Where the copies of what is replaced go. */
  readonly kept: string;
  readonly locks: WriterLocks;
}

export function* fileRepairs(places: FileRepairPlaces): Generator<Repair> {
  for (const directory of places.written) yield* leftovers(directory);
  for (const directory of places.own) yield* openModes(directory, 'read');
  for (const directory of places.believed) yield* openModes(directory, 'write');
  for (const root of places.conversations)
    for (const id of (namesIn(root) ?? []).filter(isConversationId)) {
      const directory = path.join(root, id);
      yield* leftovers(directory);
      yield* staleOwner(directory);
      yield* conversationRepairs(places, directory, path.join(places.kept, 'conversations', id));
    }
}

function leftovers(directory: string): Repair[] {
  if (!statPlain(directory)?.isDirectory()) return [];
  return inDirectory(directory, abandonedIn).map((name) => {
    const file = path.join(directory, name);
    return {
      path: file,
      problem: 'was left behind by a crash',
      action: 'remove it',
      isDamage: false,
      async mend() {
        remove(file);
        return 'removed';
      },
    };
  });
}

/**
 * Finds files below a directory of the operator's that others may read, or write to. Nobody else comes into a directory that
 * is closed, so of one only the files directly in it are looked at, which are believed by their own modes.
 */
function* openModes(directory: string, act: 'read' | 'write'): Generator<Repair> {
  const mask = act === 'read' ? 0o077 : 0o022;
  const open: string[] = [];
  const pending = [directory];
  for (let at = pending.pop(); at !== undefined && open.length < MOST_FILES; at = pending.pop()) {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (!stats || stats.isSymbolicLink() || stats.uid !== process.getuid?.()) continue;
    if ((stats.mode & mask) !== 0) open.push(at);
    const isClosed = (stats.mode & mask) === 0;
    if (stats.isDirectory() && (at === directory || !isClosed))
      for (const entry of entriesOrNone(at))
        if (!isClosed || entry.isFile()) pending.push(path.join(at, entry.name));
  }
  if (open.length === 0) return;
  yield {
    path: open[0] ?? directory,
    problem: `can be ${act === 'read' ? 'read' : 'changed'} by other accounts${open.length > 1 ? `, and ${open.length - 1} more below ${directory}` : ''}`,
    action: act === 'read' ? 'make them yours alone' : 'let nobody else write to them',
    isDamage: false,
    async mend() {
      for (const file of open) {
        const mode = lstatSync(file).mode & 0o777;
        chmodSync(file, act === 'read' ? (mode & 0o700) | 0o600 : mode & ~mask);
      }
      return `${open.length} changed`;
    },
  };
}

const MOST_FILES = 20_000;

function entriesOrNone(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The lock itself ends with its process; only the note about its holder stays. */
function* staleOwner(directory: string): Generator<Repair> {
  const file = path.join(directory, '.writer.json');
  const bytes = readSmall(file);
  if (bytes === undefined) return;
  const owner = parseJson(bytes.toString('utf8'));
  const pid = memberOf(owner, 'pid');
  const isOurs = memberOf(owner, 'host') === hostname() && typeof pid === 'number';
  if (!isOurs || isRunning(pid)) return;
  yield {
    path: file,
    problem: `names process ${pid}, which is gone`,
    action: 'remove it',
    isDamage: false,
    async mend() {
      remove(file);
      return 'removed';
    },
  };
}

const SMALL_BYTES = 16 * 1024 * 1024;

function readSmall(file: string): Buffer | undefined {
  try {
    const bytes = readPlainFile(file, SMALL_BYTES);
    return bytes === 'too-large' ? undefined : bytes;
  } catch {
    return undefined;
  }
}

function* conversationRepairs(
  { locks, areLogsRead }: FileRepairPlaces,
  directory: string,
  kept: string,
): Generator<Repair> {
  const log = path.join(directory, 'events.jsonl');
  if (!statPlain(log)?.isFile()) return;
  const locked = (work: () => Promise<string>) => async () => {
    const lock: HeldLock = await locks.take(directory);
    return work().finally(() => lock.release());
  };
  const read = areLogsRead ? withoutError(() => readEventLog(log)) : undefined;
  if (read && (read.unreadable.length > 0 || read.torn !== undefined))
    yield setAside(log, path.join(kept, 'events.jsonl'), goodLines, locked);
  if (!isObjectFile(path.join(directory, 'metadata.json'), (json) => metadataFromJson(json) !== undefined))
    yield replaced(path.join(directory, 'metadata.json'), kept, locked, () => timesIn(log));
  if (!isObjectFile(path.join(directory, 'base_config.json'), (json) => typeof json === 'object'))
    yield replaced(path.join(directory, 'base_config.json'), kept, locked, () => ({}));
}

function timesIn(log: string): object {
  const events = withoutError(() => readEventLog(log))?.events ?? [];
  const times = events.flatMap((event) => ('at' in event ? [event.at] : []));
  const changed = isoTime(lstatSync(log).mtimeMs);
  return { created_at: times[0] ?? changed, active_at: times.at(-1) ?? changed };
}

function isObjectFile(file: string, fits: (json: ReturnType<typeof parseJson>) => boolean): boolean {
  const bytes = readSmall(file);
  const json = bytes && parseJson(bytes.toString('utf8'));
  return json !== undefined && json !== null && fits(json);
}

type Locked = (work: () => Promise<string>) => () => Promise<string>;

function replaced(file: string, kept: string, locked: Locked, content: () => object): Repair {
  return {
    path: file,
    problem: 'cannot be read',
    action: 'write it again from what the conversation’s log says',
    isDamage: true,
    mend: locked(async () => {
      keepCopy(file, path.join(kept, path.basename(file)));
      await writeAtomically(file, `${JSON.stringify(content(), null, 2)}\n`);
      return 'written again';
    }),
  };
}

/** Lines that cannot be read stay in the copy alone. */
export function setAside(
  file: string,
  kept: string,
  good: (file: string, visit: (lines: Buffer) => void) => number,
  locked: Locked = (work) => work,
): Repair {
  return {
    path: file,
    problem: 'has lines that are cut off or cannot be read',
    action: 'set those lines aside',
    isDamage: true,
    mend: locked(async () => {
      keepCopy(file, kept);
      const fresh = path.join(path.dirname(file), temporaryName());
      const descriptor = openFile(fresh, { flags: NEW, mode: lstatSync(file).mode & 0o777 });
      let bad = 0;
      try {
        bad = good(file, (lines) => void writeSync(descriptor, lines));
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameIn(path.dirname(file), path.basename(fresh), path.basename(file));
      return `${bad} ${bad === 1 ? 'line' : 'lines'} set aside; the whole file is at ${kept}`;
    }),
  };
}

const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Copies a file unless an interrupted repair has. A missing one has no copy. */
export function keepCopy(file: string, kept: string): void {
  if (!statPlain(file)?.isFile() || statPlain(kept)) return;
  makeDirectories(path.dirname(kept), 0o700);
  const fresh = path.join(path.dirname(kept), temporaryName());
  const [from, to] = [openFile(file), openFile(fresh, { flags: NEW, mode: 0o600 })];
  const { readSync } = process.getBuiltinModule('node:fs');
  try {
    const block = Buffer.alloc(1024 * 1024);
    for (let read = readSync(from, block); read > 0; read = readSync(from, block))
      writeSync(to, block.subarray(0, read));
    fsyncSync(to);
  } finally {
    closeSync(from);
    closeSync(to);
  }
  renameIn(path.dirname(kept), path.basename(fresh), path.basename(kept));
}

function withoutError<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Writes a file that an archive holds; an earlier one of the name is replaced. */
export async function writeExtracted(file: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  makeDirectories(path.dirname(file), 0o700);
  remove(file);
  const descriptor = openFile(file, { flags: NEW, mode: 0o600 });
  try {
    for await (const part of content) writeSync(descriptor, part);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
