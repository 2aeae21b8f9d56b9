/** Guards the HTTP server: local programs with the token may connect, web pages may not. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface Gate {
  readonly port: number;
  readonly token: string;
}

export interface HttpRequestHead {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface HttpRefusal {
  readonly status: 401 | 403 | 404;
  readonly message: string;
}

export const MCP_PATH = '/mcp';

/** Undefined for an allowed request. Web pages are refused before the token is checked. */
export function refusalOf({ url, headers }: HttpRequestHead, { port, token }: Gate): HttpRefusal | undefined {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(headers.host?.toLowerCase() ?? '')) {
    return { status: 403, message: 'This server answers to 127.0.0.1 and localhost only.' };
  }
  const origins = hosts.map((host) => `http://${host}`);
  if (headers.origin !== undefined && !origins.includes(headers.origin.toLowerCase())) {
    return { status: 403, message: 'Pages of other origins are not answered.' };
  }
  if (!['same-origin', 'none', undefined].includes(headers['sec-fetch-site']?.toString())) {
    return { status: 403, message: 'Pages of other sites are not answered.' };
  }
  if (!isToken(headers.authorization, token)) {
    return {
      status: 401,
      message: 'The header "Authorization: Bearer …" with the token of this server is needed.',
    };
  }
  const [path] = url.split('?', 1);
  return path === MCP_PATH ? undefined : { status: 404, message: `There is ${MCP_PATH} and nothing else.` };
}

/** Compares in constant time. */
function isToken(authorization: string | undefined, token: string): boolean {
  const [, given = ''] = /^Bearer +([\w.~+/=-]{1,1000})$/i.exec(authorization ?? '') ?? [];
  return timingSafeEqual(digest(given), digest(token)) && given !== '';
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
