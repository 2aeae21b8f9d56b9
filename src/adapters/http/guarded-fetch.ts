import http from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { Fault } from '../../base/fault.ts';
import { admit } from '../../domain/web/admit.ts';
import type { HostGuard } from '../../domain/web/host-guard.ts';
import { parseWebAddress, type WebAddress } from '../../domain/web/web-address.ts';
import { connectPinned, openConnection } from './connect.ts';
import { responseFault } from './net-faults.ts';
import { MAX_HEADER_BYTES } from './send-request.ts';

/**
 * A `fetch` for protocols over HTTP, such as MCP, that connects only where the host guard allows. Follows no
 * redirects, opens a connection for each request, accepts only text bodies, and limits responses to `maxBytes`.
 */
export function guardedFetch(
  ports: { readonly guard: HostGuard },
  { maxBytes }: { readonly maxBytes: number },
) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const signal = init.signal ?? new AbortController().signal;
    const address = parseWebAddress(String(url));
    const pinned = await admit(ports, { address, from: undefined }, signal);
    const socket = await openConnection({ address, pinned, connect: connectPinned }, signal);
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
    const message = await send(request, init, address, signal);
    return responseOf(message, limit(address, maxBytes));
  };
}

function headersOf(address: WebAddress, init: RequestInit): http.OutgoingHttpHeaders {
  const given = Object.fromEntries(new Headers(init.headers));
  return { ...given, host: new URL(address.href).host, connection: 'close' };
}

function send(
  request: http.ClientRequest,
  { body }: RequestInit,
  address: WebAddress,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('error', (cause) => reject(signal.aborted ? signal.reason : responseFault(address, cause)));
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

function responseOf(message: http.IncomingMessage, limited: Transform): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // A Response with one of these statuses must have no body.
  if ([101, 204, 205, 304].includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  // The reader of `limited` gets the error.
  pipeline(message, limited, () => {});
  return new Response(Readable.toWeb(limited) as ReadableStream, { status, headers });
}
