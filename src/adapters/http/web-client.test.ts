import { expect, it } from 'vitest';
import { faultOf, LIMITS, NOW, never, playground } from '../../../test/web/playground.ts';
import { serve, unusedPort } from '../../../test/web/servers.ts';
import { VERSION } from '../../base/package-files.ts';
import { fixedClock } from '../../base/time.ts';
import { parseAllowList } from '../../domain/web/allow-list.ts';
import { hostGuard } from '../../domain/web/host-guard.ts';
import { itFetchesPages } from '../../domain/web/web-client.contract.ts';
import { systemNames } from './system-names.ts';
import { httpWebClient } from './web-client.ts';

const A = '93.184.216.34';
const B = '1.1.1.1';

itFetchesPages('http', async (site) => {
  const { port } = await serve((request, response) => {
    const page = site[request.url ?? ''];
    if (!page) return response.writeHead(404).end('not here');
    const { etag, lastModified } = page;
    const isKnown =
      request.headers['if-none-match'] === undefined
        ? lastModified !== undefined && request.headers['if-modified-since'] === lastModified
        : request.headers['if-none-match'] === etag;
    if (etag !== undefined) response.setHeader('etag', etag);
    if (lastModified !== undefined) response.setHeader('last-modified', lastModified);
    if (page.contentType !== undefined) response.setHeader('content-type', page.contentType);
    if (page.location !== undefined) return response.writeHead(302, { location: page.location }).end();
    return isKnown ? response.writeHead(304).end() : response.end(page.body);
  });
  const guard = hostGuard({ names: systemNames }, parseAllowList([`localhost:${port}`]));
  const client = httpWebClient({ guard, clock: fixedClock(NOW) }, LIMITS);
  return { client, origin: `http://localhost:${port}`, now: NOW };
});

it('sends what a server needs to know and nothing else', async () => {
  const server = await serve((_request, response) => response.end());
  const { page } = playground({ names: { 'site.example': [A] }, machines: { [A]: server.port } });
  await page('http://site.example:8080/a?b', { accept: 'text/plain', headers: { 'x-key': 'k' } });
  expect(server.headers.at(-1)).toEqual({
    host: 'site.example:8080',
    connection: 'close',
    'user-agent': `ken/${VERSION}`,
    accept: 'text/plain',
    'accept-encoding': 'gzip, deflate, br, zstd',
    'x-key': 'k',
  });
  await page('http://site.example/');
  expect(server.headers.at(-1)?.accept).toBe('text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5');
});

it('keeps the headers of the caller at the origin it named, even when a redirect leads back', async () => {
  const far = await serve((_request, response) =>
    response.writeHead(302, { location: 'http://near.example/back' }).end(),
  );
  const near = await serve((request, response) => {
    if (request.url === '/back') return response.end();
    const location = request.url === '/start' ? '/next' : 'http://far.example/';
    return response.writeHead(302, { location }).end();
  });
  const { page } = playground({
    names: { 'near.example': [A], 'far.example': [B] },
    machines: { [A]: near.port, [B]: far.port },
  });
  await page('http://near.example/start', { headers: { authorization: 'Bearer secret', 'x-key': 'k' } });
  const seen = (server: typeof near) =>
    server.requests.map((request, at) => [
      request,
      server.headers[at]?.authorization,
      server.headers[at]?.['x-key'],
    ]);
  expect(seen(near)).toEqual([
    ['GET /robots.txt', undefined, undefined],
    ['GET /start', 'Bearer secret', 'k'],
    ['GET /next', 'Bearer secret', 'k'],
    ['GET /back', undefined, undefined],
  ]);
  expect(seen(far)).toEqual([
    ['GET /robots.txt', undefined, undefined],
    ['GET /', undefined, undefined],
  ]);
});

it('sends validators only to the address that gave them, and only such as a header can carry', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/old') response.writeHead(301, { location: '/new' }).end();
    else response.end();
  });
  const { page } = playground({ names: { 'site.example': [A] }, machines: { [A]: server.port } });
  const known = { url: 'http://site.example/new', etag: '"ü"', lastModified: 'bad\nvalue' };
  await page('http://site.example/old', { known });
  expect(server.headers.map((one) => [one['if-none-match'], one['if-modified-since']])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ['"ü"', undefined],
  ]);
});

it.each([
  [401, 'net/status', 'answered 401 (Unauthorized).'],
  [404, 'net/not-found', 'answered 404 (Not Found).'],
  [410, 'net/not-found', 'answered 410 (Gone).'],
  [429, 'net/status', 'answered 429 (Too Many Requests).'],
  [500, 'net/status', 'answered 500 (Internal Server Error).'],
  [299, 'net/status', 'answered 299.'],
  [206, 'net/protocol', 'answered 206 (Partial Content).'],
  [300, 'net/status', 'answered 300 (Multiple Choices).'],
  [304, 'net/protocol', 'answered 304 (Not Modified).'],
])('status %i is %s', async (status, code, text) => {
  const server = await serve((_request, response) => response.writeHead(status, 'words of its own').end());
  const { get } = playground({ names: { 'site.example': [A] }, machines: { [A]: server.port } });
  expect(await faultOf(get('http://site.example/x'))).toEqual({
    code,
    message: `http://site.example/x ${text}`,
  });
});

it('follows relative, protocol-relative, UTF-8 and spaced redirects', async () => {
  const next: Record<string, string> = {
    '/1': '2?x#y',
    '/2?x': '//site.example/3',
    '/3': Buffer.from('/ü b').toString('latin1'),
  };
  const server = await serve((request, response) => {
    const location = next[request.url ?? ''];
    if (location) response.writeHead(307, { location }).end();
    else response.end('there');
  });
  const { page } = playground({ names: { 'site.example': [A] }, machines: { [A]: server.port } });
  expect(await page('http://site.example/1')).toMatchObject({
    url: 'http://site.example/%C3%BC%20b',
    redirects: ['http://site.example/1', 'http://site.example/2?x', 'http://site.example/3'],
  });
});

it('reaches a name by its second address when the first does not answer', async () => {
  const server = await serve((_request, response) => response.end('here'));
  const names = { resolve: async () => ['127.0.0.2', '127.0.0.1'] };
  const guard = hostGuard({ names }, parseAllowList(['two.example']));
  const client = httpWebClient({ guard, clock: fixedClock(NOW) }, LIMITS);
  expect(await client.get({ url: `http://two.example:${server.port}/` }, never)).toMatchObject({
    type: 'page',
  });
});

it('says when nothing listens at the other end', async () => {
  const port = await unusedPort();
  const guard = hostGuard({ names: systemNames }, parseAllowList(['127.0.0.1']));
  const client = httpWebClient({ guard, clock: fixedClock(NOW) }, LIMITS);
  expect(await faultOf(client.get({ url: `http://127.0.0.1:${port}/` }, never))).toEqual({
    code: 'net/connection',
    message: `http://127.0.0.1:${port} cannot be reached: nothing listens at that port.`,
  });
});
