import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import { lazy } from '../../base/lazy.ts';

export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(content: string | Uint8Array): unknown;
}

/**
 * Writes to a file or a pipe without a Node stream, whose creation takes a tenth of the start-up time. Other targets
 * get the stream. After a failed or short write the stream takes over, since it reports errors.
 */
export function plainOutput(descriptor: number, makeStream: () => OutputStream): OutputStream {
  const stream = lazy(makeStream);
  const isPlain = lazy(() => isFileOrPipe(descriptor));
  let isDirect = true;
  return {
    get isTTY() {
      return isPlain() ? false : stream().isTTY;
    },
    get columns() {
      return isPlain() ? undefined : stream().columns;
    },
    get rows() {
      return isPlain() ? undefined : stream().rows;
    },
    write(content) {
      if (!isDirect || !isPlain()) return stream().write(content);
      const rest = unwritten(descriptor, Buffer.from(content));
      if (rest.length === 0) return true;
      isDirect = false;
      return stream().write(rest);
    },
  };
}

/** Some programs use sockets as pipes. Of the devices only /dev/null counts; others are mostly terminals. */
function isFileOrPipe(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() || stats.isFIFO() || stats.isSocket() || isNowhere(stats);
  } catch {
    return false;
  }
}

function isNowhere(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === statSync('/dev/null').rdev;
}

/** Returns what could not be written: a non-blocking pipe may be full, its reader gone, or the disk full. */
function unwritten(descriptor: number, content: Uint8Array): Uint8Array {
  let rest = content;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // The stream meets the same error and reports it.
  }
  return rest;
}
