/** Serves the page to browsers on this machine until the signal aborts. */

import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type App, isInWorkspace } from '../../app.ts';
import { Fault } from '../../base/fault.ts';
import { beginUpkeep } from '../upkeep.ts';
import { readAssets } from './assets.ts';
import { boundedServer } from './bounded-server.ts';
import { refusalOf } from './guard.ts';
import { pageIndexing } from './indexing.ts';
import type { OpenedPlace, WebPlace } from './page.ts';
import { NOBODY } from './pages/approvals/trust.ts';
import { ACTIONS, PAGES } from './pages.ts';
import { announcePage, type PageFiles } from './running-page.ts';
import { signIns } from './sign-ins.ts';
import { addStreams } from './streams.ts';
import { runningTurns } from './turns.ts';
import { headersWith, webRoutes } from './web-routes.ts';

export interface WebInput {
  /** 0 selects a free port. */
  readonly port: number;
  /** Answers to 127.0.0.1, for browsers that do not resolve names below localhost. */
  readonly hasPlainHost: boolean;
  readonly files: PageFiles;
  /** Called once, when browsers can connect. */
  announce(page: ServedPage): Promise<void>;
}

export interface ServedPage {
  readonly address: string;
  /** Signs in one browser. */
  readonly login: string;
  /** Writes a file that leads a browser to the login address, and returns its path. */
  forward(): Promise<string>;
}

const LOOPBACK = '127.0.0.1';
const NAME_BYTES = 16;

export async function serveWeb(opened: OpenedPlace, input: WebInput): Promise<void> {
  const unasked = { ...opened, app: askingNobody(opened.app) };
  const place: WebPlace = { ...unasked, turns: runningTurns(unasked), indexing: pageIndexing(unasked) };
  const { app } = place;
  const { ids } = app;
  const server = boundedServer();
  const port = await listening(server, input.port);
  const name = input.hasPlainHost ? LOOPBACK : `ken-${ids.token(NAME_BYTES)}.localhost`;
  const host = `${name}:${port}`;
  const browsers = signIns(place.app);
  const newLogin = () => `http://${host}/login/${browsers.offer()}`;
  const running = await announcePage(input.files, port, (question) =>
    question === 'login' ? newLogin() : `http://${host}/`,
  );
  const routes = webRoutes({
    place,
    pages: PAGES,
    actions: ACTIONS,
    signIns: browsers,
    assets: readAssets(),
    onLogin: () => void running.forget(),
    streams: (hono) => addStreams(hono, place, browsers),
  });
  const answer = getRequestListener(routes.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => {
    const { method = 'GET', url = '/', headers, headersDistinct } = request;
    const hosts = headersDistinct.host?.length ?? 0;
    const refusal = refusalOf({ method, url, headers, hosts }, { host });
    if (refusal) refuse(request, response, refusal);
    else void answer(request, response);
  });
  const login = newLogin();
  const endWatch = isInWorkspace(app) ? beginUpkeep(app, place.report, place.indexing.run) : async () => {};
  try {
    await input.announce({ address: `http://${host}/`, login, forward: () => running.forwardTo(login) });
    await ended(place.signal);
  } finally {
    await endWatch();
    await running.close();
    server.close();
    server.closeAllConnections();
  }
}

/**
 * The page asks in the browser: nothing that a form starts may wait for the terminal that serves it, and no standing
 * approval that was given at that terminal covers it.
 */
function askingNobody(app: App): App {
  const questioner = { isThere: async () => false, ask: async () => undefined };
  const operator: App['operator'] = {
    name: () => app.operator.name(),
    presence: (purpose) => app.operator.presence(purpose),
    terminal: async () => undefined,
  };
  return { ...app, approver: NOBODY, questioner, operator };
}

async function listening(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, LOOPBACK);
    await once(server, 'listening');
  } catch (cause) {
    throw new Fault('net/connection', `Port ${port} of ${LOOPBACK} cannot be opened.`, {
      hint: 'Another program may have it; without --port a free one is taken.',
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
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
    ...headersWith('none'),
  };
  response.writeHead(status, headers);
  response.end(`${message}\n`, () => request.destroy());
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
