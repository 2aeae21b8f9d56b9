import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import { lazy } from '../../base/lazy.ts';

/** As much of a stream as a terminal needs. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(content: string | Uint8Array): unknown;
}

/**
 * Writes to a file or a pipe without Node's stream, which takes a tenth of the start to make. Everything else gets the
 * stream, and so does what a file or a pipe did not take: from there on, since its errors are heard there.
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

/** Other programs' pipes may be sockets. Devices but the one are terminals, more often than not; and it may be closed. */
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

/** What is left when a pipe is full and does not block, its reader is gone, or the disk is full. */
function unwritten(descriptor: number, content: Uint8Array): Uint8Array {
  let rest = content;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // The stream meets the same error, and tells it.
  }
  return rest;
}
