import http from 'node:http';
import type net from 'node:net';
import type { WebAddress } from '../../domain/web/web-address.ts';
import { exchangeFault } from './net-faults.ts';

export interface HttpResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: http.IncomingMessage;
  /** What went wrong with the connection since; a body without a length ends as if nothing had. */
  failure(): unknown;
  /** Ends the connection; nothing more is read. */
  close(): void;
}

export interface HttpRequest {
  readonly address: WebAddress;
  readonly headers: Readonly<Record<string, string>>;
  readonly idleMs: number;
  onIdle(): void;
}

/** Room for the long policies some sites send; Node's own limit of 16 KiB is met in the wild. */
export const MAX_HEADER_BYTES = 64 * 1024;

/** Sends one GET over a connection of its own and answers as soon as the head is there. */
export function exchange(
  socket: net.Socket,
  question: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  const { address } = question;
  const request = http.request({
    createConnection: () => socket,
    setHost: false,
    method: 'GET',
    path: address.target,
    headers: { ...question.headers, host: new URL(address.href).host, connection: 'close' },
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
  });
  const abort = () => socket.destroy(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', abort));
  socket.setTimeout(question.idleMs, question.onIdle);
  return new Promise((resolve, reject) => {
    let failure: unknown;
    const fail = (cause: unknown) => {
      failure ??= cause;
      socket.destroy();
      reject(signal.aborted ? signal.reason : exchangeFault(address, cause));
    };
    request.on('error', fail);
    request.on('upgrade', () => fail(new Error('it switched to another protocol')));
    request.on('response', (body) => {
      const close = () => {
        body.on('error', () => {});
        socket.destroy();
      };
      resolve({ status: body.statusCode ?? 0, headers: body.headers, body, failure: () => failure, close });
    });
    if (signal.aborted) abort();
    request.end();
  });
}
