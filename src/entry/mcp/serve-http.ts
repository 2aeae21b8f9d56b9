import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server';
import { Fault } from '../../base/fault.ts';
import { type Gate, type HttpRefusal, MCP_PATH, refusalOf } from './http-gate.ts';
import { httpSessions } from './http-sessions.ts';
import { mcpServers } from './mcp-server.ts';
import type { ServedWorkspace } from './served-workspace.ts';
import type { McpContext } from './serving/mcp-context.ts';
import { followAll, LISTEN, subscribedIn } from './serving/subscriptions.ts';

export interface HttpInput {
  /** 0 selects a free port. */
  readonly port: number;
  /** The one of this workspace, which outlives the server, if absent. */
  readonly token?: string | undefined;
  /** Called once, when clients can connect. */
  announce(address: { readonly url: string; readonly token: string; readonly isGiven: boolean }): void;
}

const TOKEN_BYTES = 32;
const HOST = '127.0.0.1';

export async function serveHttp(context: McpContext, input: HttpInput, signal: AbortSignal): Promise<void> {
  const served = await context.serving.use(async (first) => first);
  const handler = handlerForBothRevisions(context, served);
  const answer = toNodeHandler(handler, { onerror: ({ message }) => served.note(message) });
  const server = createServer();
  const port = await listening(server, input.port);
  const gate: Gate = { port, token: input.token ?? (await keptToken(served)) };
  server.on('request', (request, response) => {
    const { url = '/', method = 'GET' } = request;
    const refusal = refusalOf({ url, headers: request.headers }, gate);
    if (refusal) refuse(request, response, refusal);
    else void answer(Object.assign(request, { url, method }), response).catch(served.report);
  });
  const isGiven = input.token !== undefined;
  input.announce({ url: `http://${HOST}:${port}${MCP_PATH}`, token: gate.token, isGiven });
  await ended(signal);
  server.close();
  await handler.close();
  server.closeAllConnections();
}

/** Made once for each workspace and account, so that a restart leaves the clients' settings right. */
async function keptToken({ app }: ServedWorkspace): Promise<string> {
  const { configFiles, hasher, directories, workspace, ids, clientLock } = app;
  const file = path.join(directories.state, 'mcp', `${hasher.sha256(workspace.root).slice(0, 16)}.token`);
  const before = await tokenIn(configFiles, file);
  if (before !== undefined) return before;
  // Of servers that start at once, one makes it and the others take it.
  return clientLock.exclusively(async () => {
    const made = await tokenIn(configFiles, file);
    if (made !== undefined) return made;
    await configFiles.remove(file);
    const token = ids.token(TOKEN_BYTES);
    await configFiles.replace(file, `${token}\n`, 'user', 0o600);
    return token;
  });
}

/** Undefined for a token that others could read or write: it is known to them. */
async function tokenIn(
  configFiles: ServedWorkspace['app']['configFiles'],
  file: string,
): Promise<string | undefined> {
  const kept = await configFiles.readOwned(file, 'private');
  const isGood = kept && kept.doubt === undefined && /^[0-9a-f]{64}\n$/.test(kept.text);
  return isGood ? kept.text.trim() : undefined;
}

/** Requests of 2026-07-28 are stateless; earlier clients have sessions. */
function handlerForBothRevisions(context: McpContext, { app, note }: ServedWorkspace) {
  const factory = mcpServers(context);
  const onError = ({ message }: Error) => note(message);
  const modern = createMcpHandler(factory, { legacy: 'reject', onerror: onError });
  const legacy = httpSessions(factory, { newId: () => app.ids.token(TOKEN_BYTES), onError });
  const { notify } = modern;
  const stop = context.watch.listen({
    changed(list) {
      if (list === 'tools') notify.toolsChanged();
      else if (list === 'prompts') notify.promptsChanged();
      else notify.resourcesChanged();
    },
    resourceUpdated: (uri) => notify.resourceUpdated(uri),
  });
  return {
    fetch: async (request: Request) => {
      if (await isLegacyRequest(request)) return legacy.fetch(request);
      await followWhileOpen(request, context);
      return modern.fetch(request);
    },
    close: async () => {
      stop();
      await context.watch.close();
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}

/** The SDK answers `subscriptions/listen` itself and does not say what is subscribed to. */
async function followWhileOpen(request: Request, { watch }: McpContext): Promise<void> {
  if (request.headers.get('mcp-method') !== LISTEN) return;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  const uris = await followAll(watch, subscribedIn(body));
  const unfollow = () => {
    for (const uri of uris) watch.unfollow(uri);
  };
  if (request.signal.aborted) unfollow();
  request.signal.addEventListener('abort', unfollow, { once: true });
}

async function listening(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (cause) {
    throw new Fault('net/connection', `Port ${port} of ${HOST} cannot be opened.`, {
      hint: 'Another program may have it; --http 0 takes a free one.',
      cause,
    });
  }
  return (server.address() as AddressInfo).port;
}

function refuse(request: IncomingMessage, response: ServerResponse, { status, message }: HttpRefusal): void {
  // The request body is not read, so the connection is closed.
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
    ...challenge,
  });
  response.end(`${message}\n`, () => request.destroy());
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
