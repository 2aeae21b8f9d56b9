/** `ken web` at a real terminal, and a browser's requests to it as they go over the wire. */

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type Sandbox, sandbox } from '../cli/ken.ts';
import { openPty, type Pty } from '../cli/pty.ts';

export interface ServedPage {
  readonly sandbox: Sandbox;
  readonly pty: Pty;
  /** Name and port. */
  readonly host: string;
  readonly login: string;
  ask(knock: Knock): Promise<Reply>;
}

export interface Knock {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Starts the page of a workspace; its operator is present. */
export async function servePage(
  at: Sandbox = sandbox(''),
  words = '',
  command = 'ken web',
): Promise<ServedPage> {
  const pty = openPty(`${command} --no-open ${words}`, {
    directory: at.root,
    environment: { HOME: at.home, KEN_HOME: at.home, TERM: 'dumb' },
  });
  await pty.waitFor('Ctrl-C ends the page.');
  const [login = ''] = /http:\S+\/login\/[0-9a-f]+/.exec(pty.output()) ?? [];
  return { ...servedAt(at, login), pty };
}

/** The page that has this login address. */
export function servedAt(at: Sandbox, login: string): Omit<ServedPage, 'pty'> {
  const { host } = new URL(login);
  return { sandbox: at, host, login, ask: (knock) => ask(host, knock) };
}

/** With node's own client, which sends every header as it is told. */
async function ask(host: string, { method = 'GET', path = '/', headers = {}, body }: Knock): Promise<Reply> {
  const sent = request({
    host: '127.0.0.1',
    port: new URL(`http://${host}`).port,
    method,
    path,
    headers: { host, ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, body: text };
}

/** The headers of a form of the page itself. */
export function ownForm(host: string): Record<string, string> {
  return {
    origin: `http://${host}`,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  };
}

/** Signs in and returns the cookie. */
export async function signIn(
  { host, login, ask: send }: Omit<ServedPage, 'pty'>,
  at = login,
): Promise<string> {
  const { pathname } = new URL(at);
  const { status, headers } = await send({
    method: 'POST',
    path: pathname,
    headers: ownForm(host),
    body: '',
  });
  if (status !== 303) throw new Error(`The login answered ${status}.`);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** The token that forms of this sign-in carry. */
export async function formToken(page: Pick<ServedPage, 'ask'>, cookie: string): Promise<string> {
  const { body } = await page.ask({ headers: { cookie } });
  return /name="form_token" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '';
}
