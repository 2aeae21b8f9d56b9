/** The page served by this process: for tests of what a page does, not of how it is started. */

import { createRequire } from 'node:module';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { App } from '../../src/app.ts';
import { runEnvironment, type Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { formToken, ownForm, type Reply, type ServedPage, servedAt, signIn } from './serve-page.ts';

type Compose = typeof import('../../src/compose.ts');
type ServeWeb = typeof import('../../src/entry/web/serve-web.ts');
type RunningPage = typeof import('../../src/entry/web/running-page.ts');

const dist = path.join(import.meta.dirname, '../../dist');
const require = createRequire(import.meta.url);
const { openApp }: Compose = require(path.join(dist, 'core.cjs'))('src/compose.ts');
/** The class of the bundle, for ports that a test replaces. */
export const { Fault: BundledFault }: typeof import('../../src/base/fault.ts') = require(
  path.join(dist, 'core.cjs'),
)('src/base/fault.ts');
const web = require(path.join(dist, 'web.cjs'));
const { serveWeb }: ServeWeb = web('src/entry/web/serve-web.ts');
const { askRunningPage, pageFiles }: RunningPage = web('src/entry/web/running-page.ts');

export interface PageHere extends Omit<ServedPage, 'pty'> {
  readonly cookie: string;
  readonly app: App;
  /** Reads a page as the browser that has signed in. */
  get(address: string): Promise<Reply>;
  /** Sends a form of the page; the reply is the page that follows. */
  send(action: string, fields: Readonly<Record<string, string>>): Promise<Reply & { readonly at: string }>;
  /** The same for a form whose fields may have several values. */
  sendAll(action: string, fields: readonly (readonly string[])[]): Promise<Reply & { readonly at: string }>;
  /** Bugs that the page reported. */
  readonly bugs: readonly unknown[];
}

export interface HereOptions {
  readonly isReadOnly?: boolean;
  /** Other ports than those of the composed app. */
  change?(app: App): App;
  /** The same for the apps that are opened for one question. */
  changeOpened?(app: App): App;
}

/** Starts the page of a workspace; its operator is present. */
export async function pageHere(
  at: Sandbox = sandboxHere(''),
  { isReadOnly = false, change = (app) => app, changeOpened = (app) => app }: HereOptions = {},
): Promise<PageHere> {
  const request = {
    assignments: [],
    workspace: undefined,
    directory: at.root,
    environment: runEnvironment(at.home),
    warn() {},
  };
  const opened = await openApp(request);
  const operator = {
    // A port that opens when it is used has no properties to spread.
    terminal: () => opened.operator.terminal(),
    name: async () => 'ada',
    presence: async () => ({ isPresent: true }) as const,
  };
  const app = change({ ...opened, operator });
  const ends = new AbortController();
  const bugs: unknown[] = [];
  const place = {
    app,
    openApp: async (...asked: Parameters<typeof openApp>) => changeOpened(await openApp(...asked)),
    request,
    isReadOnly,
    signal: ends.signal,
    report: (bug: unknown) => void bugs.push(bug),
  };
  const { promise, resolve } = Promise.withResolvers<string>();
  const files = pageFiles(app.directories.state, app.workspace?.root);
  const served = serveWeb(place, {
    port: 0,
    hasPlainHost: false,
    files,
    announce: async ({ login }) => resolve(login),
  });
  onTestFinished(async () => {
    ends.abort();
    await served;
    await opened.close();
  });
  const page = servedAt(at, await promise);
  const cookie = await signIn(page);
  const token = isReadOnly ? '' : await formToken(page, cookie);
  const get = (address: string) => page.ask({ path: address, headers: { cookie } });
  const sendAll = async (action: string, fields: readonly (readonly string[])[]) => {
    const body = new URLSearchParams({ form_token: token });
    for (const [name = '', value = ''] of fields) body.append(name, value);
    const headers = { cookie, ...ownForm(page.host) };
    const reply = await page.ask({ method: 'POST', path: action, headers, body: String(body) });
    const to = reply.headers.location;
    return to === undefined ? { ...reply, at: action } : { ...(await get(to)), at: to };
  };
  return {
    ...page,
    // The first one is used up.
    login: (await askRunningPage(files, 'login')) ?? '',
    ...{ cookie, app, bugs, get },
    send: (action, fields) => sendAll(action, Object.entries(fields)),
    sendAll,
  };
}
