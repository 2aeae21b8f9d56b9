/** Decides from the head of a request whether it is admitted, and finds the client's address. */

import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { Fault } from '../../base/fault.ts';
import type { Serving } from './serving.ts';

export interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The address at the other end of the connection. */
  readonly peer: string;
  readonly isEncrypted: boolean;
}

export type Admission =
  | { readonly isAdmitted: true; readonly origin: string }
  | {
      readonly isAdmitted: false;
      readonly status: 400 | 403 | 405 | 413 | 415 | 421;
      readonly message: string;
    };

export const MOST_BODY_BYTES = 2 * 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';

type GateSettings = Pick<Serving, 'publicUrl' | 'proxies'>;

/** Sessions, tokens and form tokens are checked later. */
export function admit(head: Head, settings: GateSettings): Admission {
  const { headers, method, path } = head;
  const isProxied = settings.proxies !== undefined && isListed(settings.proxies, head.peer);
  const host = isProxied ? (first(headers['x-forwarded-host']) ?? headers.host) : headers.host;
  if (host?.toLowerCase() !== settings.publicUrl.host)
    return refused(421, 'This server answers to its own name only.');
  const scheme = isProxied ? first(headers['x-forwarded-proto']) : head.isEncrypted ? 'https' : 'http';
  if (settings.proxies !== undefined && !isProxied) return refused(403, 'Only the proxy may connect.');
  if (settings.proxies !== undefined && scheme !== 'https')
    return refused(400, 'The proxy has to say that the client came by https (X-Forwarded-Proto).');
  if (Number(headers['content-length'] ?? 0) > MOST_BODY_BYTES)
    return refused(413, 'A request has at most two megabytes.');
  const origin = isProxied ? clientBehind(settings.proxies, headers, head.peer) : head.peer;
  return path.startsWith('/mcp') || path.startsWith('/.well-known/')
    ? forPrograms(head, settings, origin)
    : forBrowsers({ method, headers }, settings, origin);
}

/** Programs send no origin; a page of another site in somebody's browser does. */
function forPrograms({ method, headers }: Head, { publicUrl }: GateSettings, origin: string): Admission {
  if (!['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].includes(method)) return refused(405, 'Not answered.');
  if (headers.origin !== undefined && headers.origin !== publicUrl.origin)
    return refused(403, 'Pages of other sites are not answered.');
  return { isAdmitted: true, origin };
}

function forBrowsers(
  { method, headers }: Pick<Head, 'method' | 'headers'>,
  { publicUrl }: GateSettings,
  origin: string,
): Admission {
  if (!['GET', 'HEAD', 'POST'].includes(method)) return refused(405, 'Only GET, HEAD and POST are answered.');
  const isRead = method !== 'POST';
  if (!(isRead ? mayRead(headers, publicUrl.origin) : mayChange(headers, publicUrl.origin)))
    return refused(403, 'Pages of other sites are not answered.');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (!isRead && type !== FORM) return refused(415, `A form is sent as ${FORM}.`);
  return { isAdmitted: true, origin };
}

/** Another site may link to the page, but may not frame it, embed parts of it or fetch it. */
function mayRead({ origin, ...headers }: IncomingHttpHeaders, own: string): boolean {
  if (origin !== undefined && origin !== own) return false;
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/** Without a referrer, browsers send the page's own forms with the origin `null`; `Sec-Fetch-Site` tells them apart. */
function mayChange({ origin, ...headers }: IncomingHttpHeaders, own: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === own || (origin === 'null' && site === 'same-origin');
}

function refused(status: Exclude<Admission, { isAdmitted: true }>['status'], message: string): Admission {
  return { isAdmitted: false, status, message };
}

/** The last address that is no trusted proxy; the client may have written the ones before it. */
function clientBehind(proxies: BlockList | undefined, headers: IncomingHttpHeaders, peer: string): string {
  const named = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((each) => each.trim());
  const found = named.findLast((address) => isIP(address) !== 0 && !(proxies && isListed(proxies, address)));
  return found ?? peer;
}

function first(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value[0] : value;
  return text?.split(',')[0]?.trim().toLowerCase() || undefined;
}

/** Whether the request comes from this machine and names it, as metrics require. */
export function isOwnMachine({ peer, headers }: Pick<Head, 'peer' | 'headers'>): boolean {
  const name = headers.host?.toLowerCase().replace(/:\d+$/, '') ?? '';
  return isListed(LOOPBACK, peer) && ['127.0.0.1', 'localhost', '[::1]'].includes(name);
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

export function isLoopback(address: string): boolean {
  return address === 'localhost' || isListed(LOOPBACK, address);
}

function isListed(list: BlockList, given: string): boolean {
  const address = given.replace(/^::ffff:(?=\d+\.)/, '');
  const kind = isIP(address);
  return kind !== 0 && list.check(address, kind === 6 ? 'ipv6' : 'ipv4');
}

export function parseCidrs(texts: readonly string[]): BlockList | undefined {
  if (texts.length === 0) return undefined;
  const list = new BlockList();
  for (const text of texts.flatMap((each) => each.split(','))) {
    const [address = '', bits] = text.trim().split('/');
    const kind = isIP(address);
    const most = kind === 6 ? 128 : 32;
    const length = bits === undefined ? most : Number(bits);
    if (kind === 0 || !Number.isInteger(length) || length < 1 || length > most)
      throw new Fault('team/invalid', `--behind-proxy takes addresses such as 10.0.0.0/8, not "${text}".`);
    list.addSubnet(address, length, kind === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
