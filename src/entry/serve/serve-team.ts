/** Serves the page and MCP to the people of a team and their assistants until the signal aborts. */

import { once } from 'node:events';
import {
  createServer as createPlain,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { oauthMetadataResponse } from '@modelcontextprotocol/server';
import { Fault } from '../../base/fault.ts';
import { TOKEN_SCOPES } from '../../domain/team/access.ts';
import { withBoundedBody } from './bounded-body.ts';
import { admit, type Head, isOwnMachine } from './gate.ts';
import { requestLimits } from './limits.ts';
import {
  type Request as Current,
  currentRequest,
  MCP_PATH,
  recordAct,
  resourceOf,
  type Serving,
} from './serving.ts';
import { teamEvents } from './team-events.ts';
import { teamMcp } from './team-mcp.ts';
import { teamPages } from './team-pages.ts';

export interface ServeInput {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  readonly tls: { readonly cert: string | Uint8Array; readonly key: string | Uint8Array } | undefined;
  /** Called once, when clients can connect. */
  announce(port: number): void;
}

const SWEEP_MS = 10 * 60_000;
const AUDIT_MS = 400 * 86_400_000;

export async function serveTeam(serving: Serving, input: ServeInput): Promise<void> {
  const { app, team, metrics, signal } = serving;
  const limits = requestLimits(app.clock, serving.requestsPerMinute, metrics);
  const events = await teamEvents(serving);
  const pages = teamPages({ serving, limits, events });
  const mcp = teamMcp(serving, limits);
  const answer = getRequestListener(
    async (request) => {
      const { pathname } = new URL(request.url);
      const metadata = metadataAnswer(serving, request);
      if (metadata) return metadata;
      const isMcp = pathname === MCP_PATH || pathname.startsWith(`${MCP_PATH}/`);
      return withBoundedBody(request, isMcp ? mcp : (each) => pages.fetch(each));
    },
    { overrideGlobalObjects: false },
  );
  const server = boundedServer(input.tls);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const began = performance.now();
    const head = headOf(request, input.tls !== undefined);
    response.once('close', () => {
      metrics.observe((performance.now() - began) / 1000);
      metrics.count('ken_requests_total', { kind: kindOf(head.path), status: String(response.statusCode) });
    });
    if (isProbe(head)) return void probe(serving, head, response);
    const admission = admit(head, serving);
    if (!admission.isAdmitted) {
      if (limits.mayFail(head.peer))
        void currentRequest.run({ origin: head.peer }, () =>
          recordAct(serving, `gate ${head.path}`, 'denied'),
        );
      return refuse(request, response, admission);
    }
    // The public address, whatever proxy is in front.
    request.headers.host = serving.publicUrl.host;
    const current: Current = { origin: admission.origin };
    return void currentRequest.run(current, () => answer(request, response));
  });
  const port = await listening(server, input);
  const sweep = setInterval(() => {
    team.access.sweep(app.clock.now(), AUDIT_MS).catch(serving.report);
  }, SWEEP_MS);
  sweep.unref();
  try {
    input.announce(port);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    clearInterval(sweep);
    server.close();
    await events.close();
    server.closeAllConnections();
  }
}

function headOf({ method = 'GET', url = '/', headers, socket }: IncomingMessage, isEncrypted: boolean): Head {
  const [path = '/'] = url.split('?', 1);
  return { method, path, headers, peer: socket.remoteAddress ?? '', isEncrypted };
}

function kindOf(path: string): string {
  if (path.startsWith(MCP_PATH)) return 'mcp';
  return isProbePath(path) ? 'probe' : 'page';
}

function isProbePath(path: string): boolean {
  return path === '/healthz' || path === '/readyz' || path === '/metrics';
}

/** Metrics reveal what a team does, so only this machine gets them; health reveals nothing. */
function isProbe(head: Head): boolean {
  if (head.method !== 'GET' || !isProbePath(head.path)) return false;
  return head.path !== '/metrics' || isOwnMachine(head);
}

async function probe({ team, metrics }: Serving, { path }: Head, response: ServerResponse): Promise<void> {
  if (path === '/metrics') {
    response.writeHead(200, { 'content-type': 'application/openmetrics-text; version=1.0.0; charset=utf-8' });
    response.end(metrics.text());
    return;
  }
  const isReady =
    path === '/healthz' ||
    (await team.ping().then(
      () => true,
      () => false,
    ));
  response.writeHead(isReady ? 200 : 503, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(isReady ? 'ok\n' : 'The database cannot be reached.\n');
}

/** RFC 9728; also the provider's own metadata, for older clients. */
function metadataAnswer(serving: Serving, request: Request): Response | undefined {
  const { provider } = serving;
  if (!provider) return undefined;
  return oauthMetadataResponse(request, {
    oauthMetadata: { ...provider.metadata, response_types_supported: ['code'] },
    resourceServerUrl: resourceOf(serving),
    scopesSupported: [...TOKEN_SCOPES],
    resourceName: 'ken',
    dangerouslyAllowInsecureIssuerUrl: provider.issuer.startsWith('http://'),
  });
}

/** Limits that keep one client from slowing down the others. */
function boundedServer(tls: ServeInput['tls']): Server | SecureServer {
  const limits = {
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 2_000,
    maxHeaderSize: 16_384,
  };
  const server = tls
    ? createSecure({ ...limits, cert: asPem(tls.cert), key: asPem(tls.key), minVersion: 'TLSv1.2' })
    : createPlain(limits);
  server.maxConnections = 4_096;
  server.maxHeadersCount = 100;
  return server;
}

function asPem(content: string | Uint8Array): string | Buffer {
  return typeof content === 'string' ? content : Buffer.from(content);
}

async function listening(server: Server | SecureServer, { host, port }: ServeInput): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (cause) {
    throw new Fault('net/connection', `Port ${port} of ${host} cannot be opened.`, {
      hint: 'Another program may have it, or the address is not one of this machine.',
      cause,
    });
  }
  return (server.address() as AddressInfo).port;
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message }: { readonly status: number; readonly message: string },
): void {
  // The request body is not read, so the connection is closed.
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end(`${message}\n`, () => request.destroy());
}
