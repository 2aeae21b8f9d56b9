/** Writes `events.jsonl`. Events are on disk when a function returns. */

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import type { ConversationEvent } from '../../../domain/conversations/event.ts';
import { eventLine } from '../../../domain/conversations/event-line.ts';
import { createExclusive, writeAtomically } from '../atomic-write.ts';
import { writing } from '../file-fault.ts';
import { readExistingFile } from './read-event-log.ts';

const NEWLINE = 0x0a;

/** Writes and syncs all events; after a failure the file is as it was. */
export async function appendEvents(file: string, events: readonly ConversationEvent[]): Promise<void> {
  if (events.length === 0) return;
  const lines = Buffer.from(events.map((event) => `${eventLine(event)}\n`).join(''));
  await writing(file, async () => {
    const handle = await open(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW);
    try {
      const { size } = await handle.stat();
      await appendWhole(handle, lines, size);
    } finally {
      await handle.close();
    }
  });
}

async function appendWhole(handle: FileHandle, lines: Buffer, sizeBefore: number): Promise<void> {
  try {
    let written = 0;
    while (written < lines.length) {
      written += (await handle.write(lines, written, lines.length - written)).bytesWritten;
    }
    await handle.sync();
  } catch (error) {
    // A full disk may have taken a part; the next line must not be joined to half a line.
    await handle.truncate(sizeBefore);
    throw error;
  }
}

/** Moves an unfinished last line, left by a crash, into a file beside the log and returns that file's name. */
export async function setTornLineAside(file: string): Promise<string | undefined> {
  const bytes = readExistingFile(file);
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  if (end === bytes.length) return undefined;
  const aside = await writeAside(file, bytes.subarray(end));
  const handle = await open(file, constants.O_WRONLY | constants.O_NOFOLLOW);
  try {
    await handle.truncate(end);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return aside;
}

async function writeAside(file: string, torn: Uint8Array): Promise<string> {
  for (let number = 1; ; number++) {
    const aside = path.join(path.dirname(file), `events.torn-${number}`);
    try {
      await createExclusive(aside, torn);
      return aside;
    } catch (error) {
      if ((error as { code?: string }).code !== 'files/exists') throw error;
    }
  }
}

export async function replaceEventLog(file: string, events: readonly ConversationEvent[]): Promise<void> {
  await writeAtomically(file, events.map((event) => `${eventLine(event)}\n`).join(''));
}
