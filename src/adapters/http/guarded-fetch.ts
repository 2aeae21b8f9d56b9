import http from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { Fault } from '../../base/fault.ts';
import { admit } from '../../domain/web/admit.ts';
import type { HostGuard } from '../../domain/web/host-guard.ts';
import { parseWebAddress, type WebAddress } from '../../domain/web/web-address.ts';
import { dialPinned, openConnection } from './dial.ts';
import { MAX_HEADER_BYTES } from './exchange.ts';
import { exchangeFault } from './net-faults.ts';

/**
 * `fetch` for those who speak a protocol of their own over HTTP: the same guard decides where it may connect to. It
 * follows no redirect, keeps no connection, takes text for a body, and reads no more than `maxBytes` of an answer. What
 * goes wrong is a Fault.
 */
export function guardedFetch(
  ports: { readonly guard: HostGuard },
  { maxBytes }: { readonly maxBytes: number },
) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const signal = init.signal ?? new AbortController().signal;
    const address = parseWebAddress(String(url));
    const pinned = await admit(ports, { address, from: undefined }, signal);
    const socket = await openConnection({ address, pinned, dial: dialPinned }, signal);
    const abort = () => socket.destroy();
    signal.addEventListener('abort', abort, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', abort));
    if (signal.aborted) abort();
    const request = http.request({
      createConnection: () => socket,
      setHost: false,
      method: init.method ?? 'GET',
      path: address.target,
      headers: headersOf(address, init),
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const answer = await answerTo(request, init, address, signal);
    return responseOf(answer, limit(address, maxBytes));
  };
}

function headersOf(address: WebAddress, init: RequestInit): http.OutgoingHttpHeaders {
  const given = Object.fromEntries(new Headers(init.headers));
  return { ...given, host: new URL(address.href).host, connection: 'close' };
}

function answerTo(
  request: http.ClientRequest,
  { body }: RequestInit,
  address: WebAddress,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', (cause) => reject(signal.aborted ? signal.reason : exchangeFault(address, cause)));
    request.on('response', resolve);
    request.end(typeof body === 'string' ? body : undefined);
  });
}

function limit(address: WebAddress, maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, pass) {
      bytes += chunk.length;
      if (bytes <= maxBytes) pass(null, chunk);
      else pass(new Fault('net/too-large', `${address.origin} answers with more than ${maxBytes} bytes.`));
    },
  });
}

function responseOf(answer: http.IncomingMessage, limited: Transform): Response {
  const status = answer.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // These have none, and the standard refuses one.
  if ([101, 204, 205, 304].includes(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  // Whoever reads it is told what went wrong.
  pipeline(answer, limited, () => {});
  return new Response(Readable.toWeb(limited) as ReadableStream, { status, headers });
}
