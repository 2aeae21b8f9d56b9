/** Reads `events.jsonl`. The file is append-only: a crash can cut off the last line and nothing else. */

import type { ConversationEvent } from '../../../domain/conversations/event.ts';
import { parseEventLine } from '../../../domain/conversations/event-line.ts';
import type { EventLog } from '../../../domain/conversations/store.ts';
import { readExistingFile } from './read-own-file.ts';

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
