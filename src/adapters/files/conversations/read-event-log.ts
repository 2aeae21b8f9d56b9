/** `events.jsonl`: append-only; a crash can cut off the last line and nothing else. */

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
