/** Reads `events.jsonl`. The file is append-only: a crash can cut off the last line and nothing else. */

import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { Fault } from '../../../base/fault.ts';
import type { ConversationEvent } from '../../../domain/conversations/event.ts';
import { parseEventLine } from '../../../domain/conversations/event-line.ts';
import type { EventLog } from '../../../domain/conversations/store.ts';
import { isSystemError } from '../file-fault.ts';

const NEWLINE = 0x0a;

export function readEventLog(file: string): EventLog {
  const bytes = readExistingFile(file);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const events: ConversationEvent[] = [];
  const unreadable: number[] = [];
  const lines = bytes.toString('utf8', 0, Math.max(0, end - 1)).split('\n');
  for (const [at, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const event = parseEventLine(line);
    if (event) events.push(event);
    else unreadable.push(at + 1);
  }
  const torn = bytes.toString('utf8', end);
  return { events, unreadable, ...(torn !== '' && { torn }) };
}

const TURN_START = Buffer.from('"turn_start"');
/** Any character of a line may be written as an escape. */
const ESCAPE = Buffer.from('\\u');

/**
 * Parses only the lines that contain `fragment` and those that start a turn: searching for bytes costs less than parsing
 * JSON. Skips an unfinished last line and lines that are not events.
 */
export function scanEventLog(file: string, fragment: string | undefined): readonly ConversationEvent[] {
  const bytes = readExistingFile(file);
  const log = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
  if (fragment === undefined) return eventsIn(log.toString('utf8').split('\n'));
  const wanted = [...linesWith(log, Buffer.from(fragment)), ...linesWith(log, ESCAPE)];
  if (wanted.length === 0) return [];
  const starts = new Set([...wanted, ...linesWith(log, TURN_START)]);
  const lines = [...starts]
    .sort((a, b) => a - b)
    .map((start) => log.toString('utf8', start, log.indexOf(NEWLINE, start)));
  return eventsIn(lines);
}

/** Offsets of the lines that contain the needle, each once. */
function* linesWith(log: Buffer, needle: Buffer): Generator<number> {
  for (let at = log.indexOf(needle); at !== -1; ) {
    yield log.lastIndexOf(NEWLINE, at) + 1;
    at = log.indexOf(needle, log.indexOf(NEWLINE, at));
  }
}

function eventsIn(lines: readonly string[]): readonly ConversationEvent[] {
  return lines.flatMap((line) => (line.trim() === '' ? [] : (parseEventLine(line) ?? [])));
}

/**
 * Reads a file of a conversation; undefined when there is none. A repository may have brought it, so a link is not
 * followed, and a pipe or a device, which might never end, is not read.
 */
export function readOwnFile(file: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(descriptor).isFile()) return readFileSync(descriptor);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw unreadable(file, error.code === 'ELOOP' ? 'it is a symbolic link' : systemReason(error), error);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
  throw unreadable(file, 'it is not a regular file');
}

/** Whether it is a directory and not a link to one; a Fault when that cannot be read. */
export function isOwnDirectory(directory: string): boolean {
  try {
    return lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw unreadable(directory, systemReason(error), error);
  }
}

/** Like `readOwnFile`, for a file that must exist. */
export function readExistingFile(file: string): Buffer {
  const bytes = readOwnFile(file);
  if (bytes) return bytes;
  throw unreadable(file, 'it does not exist');
}

function systemReason({ errno = 0 }: NodeJS.ErrnoException): string {
  return getSystemErrorMessage(errno);
}

function unreadable(file: string, reason: string, cause?: unknown): Fault {
  return new Fault('files/unreadable', `${file} cannot be read: ${reason}.`, {
    hint: '"ken doctor" looks at every conversation.',
    cause,
  });
}
