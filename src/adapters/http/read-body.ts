import { createHash } from 'node:crypto';
import { Fault } from '../../base/fault.ts';
import { type Bytes, decodersFor } from './decode-content.ts';
import { errorCode } from './net-faults.ts';
import type { HttpResponse } from './send-request.ts';

export interface Body {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  readonly wireBytes: number;
}

export interface BodyLimit {
  readonly href: string;
  /** The limit for the bytes received and for the output of every decompression. */
  readonly maxBytes: number;
  /** Reading stops after this many decompressed bytes; absent to read the whole body. */
  readonly cutAtBytes?: number;
}

/** Throws a Fault as soon as the body turns out to be too large, incomplete or damaged. Closes the response. */
export async function readBody(response: HttpResponse, limit: BodyLimit, signal: AbortSignal): Promise<Body> {
  const cutAt = limit.cutAtBytes ?? Number.POSITIVE_INFINITY;
  const chunks: Uint8Array[] = [];
  let size = 0;
  let wireBytes = 0;
  try {
    const wire = countBytes(declaredBody(response, limit), limit, (count) => {
      wireBytes = count;
    });
    for await (const chunk of decompressed(wire, response, limit)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= cutAt) break;
    }
    requireWhole(response, signal);
  } catch (cause) {
    throw readingFault(response, limit, signal, cause);
  } finally {
    response.close();
  }
  const bytes = Buffer.concat(chunks).subarray(0, cutAt);
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), wireBytes };
}

/** The body as it was sent, in parts, with the errors of `readBody`. Closes the response at its end. */
export async function* rawBody(
  response: HttpResponse,
  limit: BodyLimit,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* countBytes(response.body, limit);
    requireWhole(response, signal);
  } catch (cause) {
    throw readingFault(response, limit, signal, cause);
  } finally {
    response.close();
  }
}

function requireWhole(response: HttpResponse, signal: AbortSignal): void {
  signal.throwIfAborted();
  if (response.failure() && !declaresItsEnd(response)) throw response.failure();
}

function readingFault(
  response: HttpResponse,
  limit: BodyLimit,
  signal: AbortSignal,
  cause: unknown,
): unknown {
  if (signal.aborted) return signal.reason;
  return cause instanceof Fault ? cause : bodyFault(limit.href, response.failure() ?? cause);
}

/** Without these headers the body ends with the connection, for whatever reason that ends. */
function declaresItsEnd({ headers }: HttpResponse): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function declaredBody(response: HttpResponse, limit: BodyLimit): Bytes {
  const length = Number(response.headers['content-length'] ?? 0);
  if (length > limit.maxBytes && limit.cutAtBytes === undefined) throw tooLarge(limit);
  return response.body;
}

/** Counts each layer: an outer one may expand to gigabytes that an inner one reduces to nothing. */
function decompressed(wire: Bytes, response: HttpResponse, limit: BodyLimit): Bytes {
  let bytes = wire;
  for (const decode of decodersFor(response.headers['content-encoding'], limit.href)) {
    bytes = countBytes(decode(bytes), limit);
  }
  return bytes;
}

async function* countBytes(bytes: Bytes, limit: BodyLimit, report?: (count: number) => void): Bytes {
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
