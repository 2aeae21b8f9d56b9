/** The runner's end of the two pipes to ken, used synchronously: the runner has no event loop to wait in. */

import { readSync, writeSync } from 'node:fs';
import { decode, encode } from '../wire/codec.ts';
import {
  type FromRunner,
  frame,
  fromRunner,
  HEADER_BYTES,
  type ToRunner,
  toRunner,
} from '../wire/messages.ts';

const FROM_KEN = 0;
const TO_KEN = 1;
// Read at load time, because the runner deletes `process` before it loads a guest.
const exit = process.exit.bind(process);

/** Ends the process when ken has closed the pipe. */
export function receive(): ToRunner {
  const header = readExactly(HEADER_BYTES);
  return decode(toRunner, readExactly(header.readUInt32LE()));
}

export function send(message: FromRunner): void {
  const bytes = frame(encode(fromRunner, message));
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(TO_KEN, bytes, done);
    } catch {
      exit();
    }
  }
}

const buffer = Buffer.allocUnsafeSlow(65_536);
let start = 0;
let end = 0;

/** Reads long messages past the buffer, into their own memory. */
function readExactly(length: number): Buffer {
  const result = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    if (start === end && length - done >= buffer.length) {
      done += readSome(result, done, length - done);
      continue;
    }
    if (start === end) {
      start = 0;
      end = readSome(buffer, 0, buffer.length);
    }
    const count = Math.min(end - start, length - done);
    buffer.copy(result, done, start, start + count);
    start += count;
    done += count;
  }
  return result;
}

function readSome(into: Buffer, at: number, length: number): number {
  const count = readSync(FROM_KEN, into, at, length, null);
  if (count === 0) exit();
  return count;
}
