/** Reads `events.jsonl`. The file is append-only: a crash can cut off the last line and nothing else. */

import { closeSync, fstatSync, readSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';
import { Fault } from '../../../base/fault.ts';
import type { ConversationEvent } from '../../../domain/conversations/event.ts';
import { parseEventLine } from '../../../domain/conversations/event-line.ts';
import type { EventLog, LogPart } from '../../../domain/conversations/store.ts';
import { openFile, readPlainFile, statPlain } from '../../paths/open-path.ts';
import { isSystemError } from '../file-fault.ts';

const NEWLINE = 0x0a;

export function readEventLog(file: string): EventLog {
  const events: ConversationEvent[] = [];
  const unreadable: number[] = [];
  let number = 0;
  let torn = '';
  readBlocks(file, (kind, block) => {
    if (kind === 'torn') torn = block.toString('utf8');
    if (kind === 'too-long') unreadable.push(++number);
    if (kind !== 'lines') return;
    for (const line of linesIn(block)) {
      number += 1;
      if (line.trim() === '') continue;
      const event = parseEventLine(line);
      if (event) events.push(event);
      else unreadable.push(number);
    }
  });
  return { events, unreadable, ...(torn !== '' && { torn }) };
}

const PART_BYTES = 4 * 1024 * 1024;

/** Parts end where a turn begins, so that a longer log has the same parts and more. */
export function logParts(file: string): readonly LogPart[] {
  const descriptor = opened(file);
  try {
    const { size, ino } = fstatSync(descriptor);
    const parts: LogPart[] = [];
    for (let start = 0, end = 0; start < size || parts.length === 0; start = end) {
      const [from, to] = [start, turnAfter(descriptor, start + PART_BYTES, size)];
      end = to;
      parts.push({ stamp: `${ino}-${from}-${to}`, events: async () => eventsBetween(file, from, to) });
      if (end >= size) break;
    }
    return parts;
  } finally {
    closeSync(descriptor);
  }
}

/** The first line at or after `offset` that starts a turn, as ken writes it; `size` when there is none. */
function turnAfter(descriptor: number, offset: number, size: number): number {
  const step = Buffer.allocUnsafe(Math.min(size, STEP_BYTES));
  for (let at = offset - 1; at < size; at += step.length - LINE_START.length) {
    const found = step.subarray(0, readSync(descriptor, step, 0, step.length, at)).indexOf(LINE_START);
    if (found !== -1) return at + found + 1;
    if (step.length <= LINE_START.length) break;
  }
  return size;
}

const STEP_BYTES = 256 * 1024;
const LINE_START = Buffer.from('\n{"type":"turn_start"');

function eventsBetween(file: string, from: number, to: number): readonly ConversationEvent[] {
  const descriptor = opened(file);
  try {
    const bytes = Buffer.alloc(Math.max(0, to - from));
    const read = readSync(descriptor, bytes, 0, bytes.length, from);
    const found: ConversationEvent[] = [];
    addEvents(found, bytes.toString('utf8', 0, bytes.lastIndexOf(NEWLINE, read - 1) + 1).split('\n'));
    return found;
  } finally {
    closeSync(descriptor);
  }
}

/** Passes the lines that are events, as they are, and returns how many others there are. */
export function goodLines(file: string, visit: (lines: Buffer) => void): number {
  let bad = 0;
  readBlocks(file, (kind, block) => {
    if (kind === 'too-long') {
      bad += 1;
      return;
    }
    const lines = kind === 'torn' ? [block.toString('utf8')] : linesIn(block);
    const good = lines.filter((line) => line.trim() !== '' && parseEventLine(line) !== undefined);
    bad += lines.filter((line) => line.trim() !== '').length - good.length;
    if (good.length > 0) visit(Buffer.from(`${good.join('\n')}\n`));
  });
  return bad;
}

const TURN_START = Buffer.from('"turn_start"');
/** Any character of a line may be written as an escape. */
const ESCAPE = Buffer.from('\\u');

/** Parses only lines that contain `fragment` or start a turn, since searching bytes is faster. Skips other lines. */
export function scanEventLog(file: string, fragment: string | undefined): readonly ConversationEvent[] {
  const found: ConversationEvent[] = [];
  let hasFragment = fragment === undefined;
  readBlocks(file, (kind, block) => {
    if (kind !== 'lines') return;
    if (fragment === undefined) return addEvents(found, linesIn(block));
    const wanted = new Set([...linesWith(block, Buffer.from(fragment)), ...linesWith(block, ESCAPE)]);
    hasFragment ||= wanted.size > 0;
    for (const start of linesWith(block, TURN_START)) wanted.add(start);
    const starts = [...wanted].sort((a, b) => a - b);
    const lineAt = (start: number) => block.toString('utf8', start, block.indexOf(NEWLINE, start));
    addEvents(found, starts.map(lineAt));
  });
  return hasFragment ? found : [];
}

/** Offsets of the lines that contain the needle, each once. */
function* linesWith(log: Buffer, needle: Buffer): Generator<number> {
  for (let at = log.indexOf(needle); at !== -1; ) {
    yield log.lastIndexOf(NEWLINE, at) + 1;
    at = log.indexOf(needle, log.indexOf(NEWLINE, at));
  }
}

/** The lines of a block, which ends in a line end. */
function linesIn(block: Buffer): readonly string[] {
  return block.toString('utf8', 0, block.length - 1).split('\n');
}

function addEvents(found: ConversationEvent[], lines: readonly string[]): void {
  for (const line of lines) {
    const event = line.trim() === '' ? undefined : parseEventLine(line);
    if (event) found.push(event);
  }
}

/** Most logs are one block. */
const BLOCK_BYTES = 16 * 1024 * 1024;
/** ken writes no line as long as this. */
const LONGEST_LINE = 32 * 1024 * 1024;

/** `lines`: whole lines. `too-long`: one line that is left out. `torn`: the last line, without its end. */
type BlockKind = 'lines' | 'too-long' | 'torn';

/** Reads a log of any length in blocks. */
function readBlocks(file: string, visit: (kind: BlockKind, block: Buffer) => void): void {
  const descriptor = opened(file);
  try {
    let carried = NOTHING;
    let isTooLong = false;
    for (let block = nextBlock(descriptor); block.length > 0; block = nextBlock(descriptor)) {
      const end = block.lastIndexOf(NEWLINE) + 1;
      const first: number = isTooLong ? block.indexOf(NEWLINE) + 1 : 0;
      if (isTooLong && first > 0) visit('too-long', NOTHING);
      isTooLong &&= first === 0;
      if (isTooLong) continue;
      if (end > first) visit('lines', joined(carried, block.subarray(first, end)));
      const rest = block.subarray(Math.max(first, end));
      carried = end > first ? rest : joined(carried, rest);
      isTooLong = carried.length > LONGEST_LINE;
      if (isTooLong) carried = NOTHING;
    }
    if (isTooLong) visit('too-long', NOTHING);
    else if (carried.length > 0) visit('torn', carried);
  } finally {
    closeSync(descriptor);
  }
}

const NOTHING: Buffer = Buffer.alloc(0);

function joined(one: Buffer, other: Buffer): Buffer {
  return one.length === 0 ? other : Buffer.concat([one, other]);
}

function nextBlock(descriptor: number): Buffer {
  const { size } = fstatSync(descriptor);
  const block = Buffer.allocUnsafe(Math.min(size, BLOCK_BYTES));
  return block.subarray(0, readSync(descriptor, block));
}

function opened(file: string): number {
  const descriptor = openedAtAnySize(file);
  try {
    refuseHugeLog(file, descriptor);
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

export function refuseHugeLog(file: string, descriptor: number): void {
  if (fstatSync(descriptor).size > MOST_LOG_BYTES) throw unreadable(file, 'it is larger than 4 GiB');
}

/** A file that is mostly holes takes no room, and would be read for an hour. */
const MOST_LOG_BYTES = 4 * 1024 * 1024 * 1024;

function openedAtAnySize(file: string): number {
  try {
    return openFile(file);
  } catch (error) {
    throw missing(error) ? unreadable(file, 'it does not exist') : readFault(file, error);
  }
}

/** Reads a file of a conversation, which a repository may have brought; undefined when there is none. */
export function readOwnFile(file: string): Buffer | undefined {
  try {
    const bytes = readPlainFile(file, MOST_BYTES);
    if (bytes !== 'too-large') return bytes;
  } catch (error) {
    throw readFault(file, error);
  }
  throw unreadable(file, `it is larger than ${MOST_BYTES} bytes`);
}

/** ken writes no such file that is larger. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Whether it is a directory and no link leads there; a Fault when that cannot be read. */
export function isOwnDirectory(directory: string): boolean {
  try {
    return statPlain(directory)?.isDirectory() === true;
  } catch (error) {
    throw readFault(directory, error);
  }
}

function missing(error: unknown): boolean {
  return isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

function readFault(file: string, error: unknown): unknown {
  return isSystemError(error) ? unreadable(file, getSystemErrorMessage(error.errno ?? 0), error) : error;
}

function unreadable(file: string, reason: string, cause?: unknown): Fault {
  return new Fault('files/unreadable', `${file} cannot be read: ${reason}.`, {
    hint: '"ken doctor" looks at every conversation.',
    cause,
  });
}
