/** Writes `events.jsonl`. Events are on disk when a function returns. */

import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ConversationEvent } from '../../../domain/conversations/event.ts';
import { eventLine } from '../../../domain/conversations/event-line.ts';
import { openFile } from '../../paths/open-path.ts';
import { createExclusive, writeAtomically } from '../atomic-write.ts';
import { writing } from '../file-fault.ts';
import { refuseHugeLog } from './read-event-log.ts';

const NEWLINE = 0x0a;

/** Writes and syncs all events; after a failure the file is as it was. */
export async function appendEvents(file: string, events: readonly ConversationEvent[]): Promise<void> {
  if (events.length === 0) return;
  const lines = linesOf(events);
  await writing(file, async () => {
    const descriptor = openFile(file, { flags: constants.O_WRONLY | constants.O_APPEND });
    try {
      appendWhole(descriptor, lines);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Event by event: all lines may be longer than a text can be. */
function linesOf(events: readonly ConversationEvent[]): Buffer {
  return Buffer.concat(events.map((event) => Buffer.from(`${eventLine(event)}\n`)));
}

function appendWhole(descriptor: number, lines: Buffer): void {
  const { size } = fstatSync(descriptor);
  try {
    for (let written = 0; written < lines.length; ) written += writeSync(descriptor, lines, written);
    fsyncSync(descriptor);
  } catch (error) {
    // A full disk may have taken a part; the next line must not be joined to half a line.
    ftruncateSync(descriptor, size);
    throw error;
  }
}

/** Moves an unfinished last line, left by a crash, into a file beside the log and returns that file's name. */
export async function setTornLineAside(file: string): Promise<string | undefined> {
  const descriptor = openFile(file, { flags: constants.O_RDWR });
  try {
    refuseHugeLog(file, descriptor);
    const { size } = fstatSync(descriptor);
    const end = endOfLines(descriptor, size);
    if (end === size) return undefined;
    const torn = Buffer.alloc(size - end);
    const aside = await writeAside(file, torn.subarray(0, readSync(descriptor, torn, 0, torn.length, end)));
    ftruncateSync(descriptor, end);
    fsyncSync(descriptor);
    return aside;
  } finally {
    closeSync(descriptor);
  }
}

const STEP_BYTES = 64 * 1024;

/** The offset after the last line end, looked for from the end: the log may be long. */
function endOfLines(descriptor: number, size: number): number {
  const step = Buffer.alloc(Math.min(size, STEP_BYTES));
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - step.length);
    const newline = step.subarray(0, readSync(descriptor, step, 0, end - start, start)).lastIndexOf(NEWLINE);
    if (newline !== -1) return start + newline + 1;
    end = start;
  }
  return 0;
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

export async function replaceEventLog(
  file: string,
  events: readonly ConversationEvent[],
  mode = 0o666,
): Promise<void> {
  await writeAtomically(file, linesOf(events), { mode });
}
