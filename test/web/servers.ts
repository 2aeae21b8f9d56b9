import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certificate.ts';

/** A real server on loopback, closed with its connections when the test is over. */
export interface LoopbackServer {
  readonly port: number;
  /** `GET /path` of every request, in order. */
  readonly requests: readonly string[];
  /** One for every request, in order. */
  readonly headers: readonly http.IncomingHttpHeaders[];
  /** Connections that were made, whether or not a request followed. */
  readonly connections: () => number;
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** `/robots.txt` is not there unless the handler says so. */
export async function serve(handler: Handler, options: ServeOptions = {}): Promise<LoopbackServer> {
  const requests: string[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const listener: Handler = (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    response.on('error', () => {});
    if (request.url === '/robots.txt' && !options.servesRobots) response.writeHead(404).end();
    else handler(request, response);
  };
  const server = options.certificate
    ? https.createServer(options.certificate, listener)
    : http.createServer(listener);
  return { ...(await listening(server, options.address)), requests, headers };
}

export interface ServeOptions {
  readonly certificate?: Certificate;
  readonly servesRobots?: boolean;
  readonly address?: string;
}

/** A server that speaks bytes. `/robots.txt` gets a plain 404; everything else is up to `answer`. */
export async function serveBytes(answer: (socket: net.Socket) => void): Promise<LoopbackServer> {
  const requests: string[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      const [line = ''] = head.toString('latin1').split(' HTTP/');
      requests.push(line);
      if (line === 'GET /robots.txt') socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
      else answer(socket);
    });
  });
  return { ...(await listening(server)), requests, headers: [] };
}

async function listening(
  server: net.Server,
  address = '127.0.0.1',
): Promise<Pick<LoopbackServer, 'port' | 'connections'>> {
  const sockets = new Set<net.Socket>();
  let connections = 0;
  server.on('connection', (socket: net.Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, address, resolve);
  });
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

/** A port of loopback at which nothing listens. */
export async function unusedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
