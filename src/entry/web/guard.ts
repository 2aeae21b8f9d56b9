/** Decides from the head of a request whether it may come in; runs before anything of it is read. */

import type { IncomingHttpHeaders } from 'node:http';

export interface Gate {
  /** Name and port, as the `Host` header has them. */
  readonly host: string;
}

export interface RequestHead {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** How often `Host` is sent; of several, `headers` has the first alone. */
  readonly hosts: number;
}

export interface Refusal {
  readonly status: 403 | 405 | 413 | 415 | 421;
  readonly message: string;
}

const METHODS = ['GET', 'HEAD', 'POST'];
const FORM = 'application/x-www-form-urlencoded';
const FORM_WITH_FILES = 'multipart/form-data';
const MEBIBYTE = 1024 * 1024;

/** Only a question may have files. */
const UPLOAD = '/conversations/ask';

function isUpload(url: string): boolean {
  return url.split('?', 1)[0] === UPLOAD;
}

export function mostBodyBytes(url: string): number {
  return (isUpload(url) ? 24 : 2) * MEBIBYTE;
}

/** Undefined for a request that may come in. Sign-in and form tokens are checked later. */
export function refusalOf({ method, url, headers, hosts }: RequestHead, { host }: Gate): Refusal | undefined {
  if (hosts !== 1 || headers.host?.toLowerCase() !== host)
    return { status: 421, message: 'This server answers to its own name only.' };
  if (!METHODS.includes(method)) return { status: 405, message: 'Only GET, HEAD and POST are answered.' };
  const isRead = method !== 'POST';
  const isOwn = isRead ? mayRead(headers, host) : mayChange(headers, host);
  if (!isOwn) return { status: 403, message: 'Pages of other sites are not answered.' };
  const most = mostBodyBytes(url);
  if (Number(headers['content-length'] ?? 0) > most)
    return { status: 413, message: `This form has at most ${most / MEBIBYTE} megabytes.` };
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (isRead || type === FORM || (type === FORM_WITH_FILES && isUpload(url))) return undefined;
  return { status: 415, message: `A form is sent as ${FORM}.` };
}

/** Another site may link to the page, but may not frame it, embed parts of it or fetch it. */
function mayRead({ origin, ...headers }: IncomingHttpHeaders, host: string): boolean {
  if (origin !== undefined && origin !== `http://${host}`) return false;
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

/**
 * Without a referrer, browsers send the forms of the page itself with the origin `null`. Only the browser can set
 * `Sec-Fetch-Site`, so it tells these forms from those of other sites.
 */
function mayChange({ origin, ...headers }: IncomingHttpHeaders, host: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  return origin === `http://${host}` || (origin === 'null' && site === 'same-origin');
}
