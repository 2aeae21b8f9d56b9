import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { faultOf, type Internet, playground } from '../../../test/web/playground.ts';
import { type LoopbackServer, serve } from '../../../test/web/servers.ts';

const A = '93.184.216.34';
const B = '1.1.1.1';

/** A site whose robots.txt is `answer`, and whose every other page is `ok`. */
function siteWith(answer: Parameters<typeof serve>[0]): Promise<LoopbackServer> {
  return serve(
    (request, response) => {
      if (request.url === '/robots.txt') answer(request, response);
      else response.end('ok');
    },
    { servesRobots: true },
  );
}

const at = (port: number, more: Internet = {}) =>
  playground({ names: { 'site.example': [A], 'other.example': [B] }, machines: { [A]: port }, ...more });

it('leaves alone what robots.txt forbids, and asks once for the whole site', async () => {
  const server = await siteWith((_request, response) => response.end('User-agent: *\nDisallow: /private'));
  const { get } = at(server.port);
  expect(await faultOf(get('http://site.example/private/x?y'))).toEqual({
    code: 'net/robots',
    message: 'http://site.example/robots.txt asks crawlers to leave /private/x?y alone.',
  });
  await get('http://site.example/public');
  await get('http://site.example/public');
  expect(server.requests).toEqual(['GET /robots.txt', 'GET /public', 'GET /public']);
});

it('asks again after a day', async () => {
  let now = 0;
  const server = await siteWith((_request, response) => response.end(''));
  const { get } = at(server.port, { clock: { now: () => now } });
  await get('http://site.example/a');
  now = 24 * 60 * 60 * 1000 - 1;
  await get('http://site.example/b');
  now += 1;
  await get('http://site.example/c');
  expect(server.requests).toEqual(['GET /robots.txt', 'GET /a', 'GET /b', 'GET /robots.txt', 'GET /c']);
});

it('asks every origin on the way, before its page', async () => {
  const second = await siteWith((_request, response) => response.end('User-agent: ken\nDisallow: /'));
  const first = await serve((_request, response) =>
    response.writeHead(302, { location: 'http://other.example/x' }).end(),
  );
  const { get } = at(first.port, { machines: { [A]: first.port, [B]: second.port } });
  expect((await faultOf(get('http://site.example/'))).message).toBe(
    'http://other.example/robots.txt asks crawlers to leave /x alone.',
  );
  expect(second.requests).toEqual(['GET /robots.txt']);
});

it.each([
  [200, 'ok'],
  [204, 'ok'],
  [401, 'ok'],
  [404, 'ok'],
  [429, 'ok'],
  [500, 'net/robots'],
  [503, 'net/robots'],
])('status %i: %s', async (status, outcome) => {
  const server = await siteWith((_request, response) => response.writeHead(status).end());
  const work = at(server.port).get('http://site.example/');
  if (outcome === 'ok') expect(await work).toMatchObject({ type: 'page' });
  else {
    expect(await faultOf(work)).toEqual({
      code: 'net/robots',
      message: `http://site.example/robots.txt answers ${status}, so nothing is read there for now.`,
    });
  }
});

it('forgets a server in trouble as soon as it has recovered', async () => {
  let status = 503;
  const server = await siteWith((_request, response) => response.writeHead(status).end());
  const { get } = at(server.port);
  await faultOf(get('http://site.example/'));
  status = 404;
  expect(await get('http://site.example/')).toMatchObject({ type: 'page' });
});

it('follows redirects of robots.txt through the same guard; the rules stay those of the first host', async () => {
  const second = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a'), {
    servesRobots: true,
  });
  const first = await siteWith((_request, response) =>
    response.writeHead(302, { location: 'http://other.example/rules' }).end(),
  );
  const web = at(first.port, { machines: { [A]: first.port, [B]: second.port } });
  expect((await faultOf(web.get('http://site.example/a'))).code).toBe('net/robots');
  expect(await web.get('http://site.example/b')).toMatchObject({ type: 'page' });
  expect(second.requests).toEqual(['GET /rules']);

  const inward = await siteWith((_request, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1/' }).end(),
  );
  expect(await faultOf(at(inward.port).get('http://site.example/a'))).toEqual({
    code: 'net/refused',
    message: '127.0.0.1 is a loopback address; ken does not connect to those.',
  });
});

it('takes endless redirects for a file that is not there', async () => {
  const server = await siteWith((_request, response) =>
    response.writeHead(302, { location: '/robots.txt' }).end(),
  );
  expect(await at(server.port).get('http://site.example/a')).toMatchObject({ type: 'page' });
});

it('hears the first 500 KiB, packed or not, and nothing of a bomb', async () => {
  const filler = `#${'x'.repeat(98)}\n`.repeat(5000);
  const rules = `User-agent: *\nDisallow: /a\n${filler}${filler}\nDisallow: /b\n`;
  for (const packed of [true, false]) {
    const server = await siteWith((_request, response) => {
      response.setHeader('content-encoding', packed ? 'gzip' : 'identity');
      response.end(packed ? zlib.gzipSync(rules) : rules);
    });
    const { get } = at(server.port);
    expect((await faultOf(get('http://site.example/a'))).code).toBe('net/robots');
    expect(await get('http://site.example/b')).toMatchObject({ type: 'page' });
  }
  const bomb = await siteWith((_request, response) => {
    response.setHeader('content-encoding', 'gzip, gzip');
    const inner = Buffer.concat(Array<Buffer>(500_000).fill(zlib.gzipSync('')));
    response.end(zlib.gzipSync(inner));
  });
  expect((await faultOf(at(bomb.port).get('http://site.example/a'))).code).toBe('net/too-large');
});

it('shares the time limit of the page', async () => {
  const server = await siteWith(() => {});
  const { get } = at(server.port, { limits: { timeoutMs: 50 } });
  expect(await faultOf(get('http://site.example/a'))).toEqual({
    code: 'net/timeout',
    message: 'http://site.example/a was not fetched within 0.05 s.',
  });
});
