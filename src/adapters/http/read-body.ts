import { createHash } from 'node:crypto';
import { Fault } from '../../base/fault.ts';
import { type Bytes, decodersFor } from './decode-content.ts';
import type { HttpResponse } from './exchange.ts';
import { errorCode } from './net-faults.ts';

export interface Body {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly wireBytes: number;
}

export interface BodyLimit {
  readonly href: string;
  /** Of what comes over the wire, and of what every layer of packing unfolds to. */
  readonly maxBytes: number;
  /** What follows after this many unpacked bytes is left alone; absent: the body is read whole. */
  readonly cutAtBytes?: number;
}

/** A Fault as soon as the body is known to be too large, cut short or broken. Closes the answer. */
export async function readBody(answer: HttpResponse, limit: BodyLimit, signal: AbortSignal): Promise<Body> {
  const cutAt = limit.cutAtBytes ?? Number.POSITIVE_INFINITY;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let wireBytes = 0;
  try {
    const wire = tally(announced(answer, limit), limit, (count) => {
      wireBytes = count;
    });
    for await (const chunk of unpacked(wire, answer, limit)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= cutAt) break;
    }
    signal.throwIfAborted();
    if (answer.failure() && !saysItsEnd(answer)) throw answer.failure();
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof Fault ? cause : bodyFault(limit.href, answer.failure() ?? cause);
  } finally {
    answer.close();
  }
  const bytes = Buffer.concat(chunks).subarray(0, cutAt);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), wireBytes };
}

/** Otherwise the connection's end is the body's, however it came about. */
function saysItsEnd({ headers }: HttpResponse): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function announced(answer: HttpResponse, limit: BodyLimit): Bytes {
  const length = Number(answer.headers['content-length'] ?? 0);
  if (length > limit.maxBytes && limit.cutAtBytes === undefined) throw tooLarge(limit);
  return answer.body;
}

/** Each layer is counted by itself: an outer one may unfold to gigabytes out of which an inner one makes nothing. */
function unpacked(wire: Bytes, answer: HttpResponse, limit: BodyLimit): Bytes {
  let bytes = wire;
  for (const decode of decodersFor(answer.headers['content-encoding'], limit.href)) {
    bytes = tally(decode(bytes), limit);
  }
  return bytes;
}

async function* tally(bytes: Bytes, limit: BodyLimit, report?: (count: number) => void): Bytes {
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    report?.(count);
    if (count > limit.maxBytes) throw tooLarge(limit);
    yield chunk;
  }
}

function tooLarge({ href, maxBytes }: BodyLimit): Fault {
  return new Fault('net/too-large', `${href} is larger than ${maxBytes} bytes.`, {
    hint: 'net.max_bytes is the limit.',
  });
}

function bodyFault(href: string, cause: unknown): Fault {
  if (errorCode(cause) === 'ECONNRESET') {
    return new Fault('net/connection', `${href} was cut short: the connection closed too early.`, { cause });
  }
  return new Fault('net/protocol', `${href} came damaged: its content cannot be unpacked or read.`, {
    cause,
  });
}
