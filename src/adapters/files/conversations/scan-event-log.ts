/** Reads only the lines of a log that a search is after: parsing JSON costs more than looking for bytes. */

import type { ConversationEvent } from '../../../domain/conversations/event.ts';
import { parseEventLine } from '../../../domain/conversations/event-line.ts';
import { readExistingFile } from './read-own-file.ts';

const NEWLINE = 0x0a;
const TURN_START = Buffer.from('"turn_start"');
/** Whoever wrote the line may have written any character this way. */
const ESCAPE = Buffer.from('\\u');

/** Half a line at the end is no event yet. Lines that are none at all are passed over. */
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

/** Where the lines begin that have the needle in them, each once. */
function* linesWith(log: Buffer, needle: Buffer): Generator<number> {
  for (let at = log.indexOf(needle); at !== -1; ) {
    yield log.lastIndexOf(NEWLINE, at) + 1;
    at = log.indexOf(needle, log.indexOf(NEWLINE, at));
  }
}

function eventsIn(lines: readonly string[]): readonly ConversationEvent[] {
  return lines.flatMap((line) => (line.trim() === '' ? [] : (parseEventLine(line) ?? [])));
}
