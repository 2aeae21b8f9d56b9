import http from 'node:http';
import type net from 'node:net';
import { VERSION } from '../../base/package-files.ts';
import type { WebAddress } from '../../domain/web/web-address.ts';
import { ACCEPTED_ENCODINGS } from './decode-content.ts';
import { responseFault } from './net-faults.ts';

/** The name under which robots.txt files address ken. */
export const PRODUCT = 'ken';

export function standardHeaders(accept: string): Record<string, string> {
  return { 'user-agent': `${PRODUCT}/${VERSION}`, accept, 'accept-encoding': ACCEPTED_ENCODINGS };
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: http.IncomingMessage;
  /** The error of the connection since then. A body without a length ends normally in spite of one. */
  failure(): unknown;
  close(): void;
}

export interface HttpRequest {
  readonly address: WebAddress;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** GET when it is absent. */
  readonly method?: string;
  readonly body?: Uint8Array;
  readonly idleMs: number;
  onIdle(): void;
}

/** Some sites send long policies in headers, which exceed Node's limit of 16 KiB. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** Sends one request over its own connection. Resolves when the headers of the response have arrived. */
export function sendRequest(
  socket: net.Socket,
  { address, headers, method = 'GET', body, idleMs, onIdle }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const request = http.request({
    createConnection: () => socket,
    setHost: false,
    method,
    path: address.target,
    headers: {
      ...(headers as Record<string, string | string[]>),
      host: new URL(address.href).host,
      connection: 'close',
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  });
  const abort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', abort));
  socket.setTimeout(idleMs, onIdle);
  return new Promise((resolve, reject) => {
    let failure: unknown;
    const fail = (cause: unknown) => {
      failure ??= cause;
      socket.destroy();
      reject(signal.aborted ? signal.reason : responseFault(address, cause));
    };
    request.on('error', fail);
    request.on('upgrade', () => fail(new Error('it switched to another protocol')));
    request.on('response', (received) => {
      const close = () => {
        received.on('error', () => {});
        socket.destroy();
      };
      const { statusCode: status = 0, headers: receivedHeaders } = received;
      resolve({ status, headers: receivedHeaders, body: received, failure: () => failure, close });
    });
    if (signal.aborted) abort();
    request.end(body);
  });
}
