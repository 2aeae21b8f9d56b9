import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { selfSigned } from '../web/certificate.ts';
import { faultOf, playground } from '../web/playground.ts';
import { serve } from '../web/servers.ts';

const PUBLIC = '93.184.216.34';
const ELSEWHERE = '1.1.1.1';

it.each([
  'http://127.0.0.1/',
  'http://2130706433/',
  '//127.0.0.1/',
  '\\\\127.0.0.1\\',
  'http://[::ffff:127.0.0.1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://localhost./',
  'http://inside.example/',
  'http:/\\127.0.0.1/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_x',
  'http://user:pass@site.example/',
  'http://site.example:25/',
])('a redirect to %j goes nowhere', async (location) => {
  const server = await serve((_request, response) => response.writeHead(302, { location }).end('go'));
  const { get, connected } = playground({
    names: { 'site.example': [PUBLIC], 'inside.example': ['10.0.0.1'] },
    machines: { [PUBLIC]: server.port },
  });
  expect((await faultOf(get('http://site.example/start'))).code).toBe('net/refused');
  expect(server.requests).toEqual(['GET /robots.txt', 'GET /start']);
  expect(new Set(connected)).toEqual(new Set([PUBLIC]));
});

it('the last of several redirects is judged like the first', async () => {
  const server = await serve((request, response) => {
    const hop = Number(request.url?.slice(1));
    response.writeHead(302, { location: hop < 4 ? `/${hop + 1}` : 'http://10.0.0.1/' }).end();
  });
  const { get } = playground({ names: { 'site.example': [PUBLIC] }, machines: { [PUBLIC]: server.port } });
  expect(await faultOf(get('http://site.example/1'))).toEqual({
    code: 'net/refused',
    message: '10.0.0.1 is a private address; ken does not connect to those.',
  });
});

it('a name that turns inward after the check is not followed there', async () => {
  const server = await serve((_request, response) => response.end('outside'));
  const inside = await serve((_request, response) => response.end('inside'));
  for (const turn of [1, 2, 3]) {
    const answers = [...Array<string[]>(turn).fill([PUBLIC]), ['127.0.0.1']];
    const { get, connected } = playground({
      names: { 'site.example': answers },
      machines: { [PUBLIC]: server.port, '127.0.0.1': inside.port },
    });
    const outcomes: string[] = [];
    for (let visit = 0; visit < 4; visit++) {
      outcomes.push(
        await get('http://site.example/').then(
          () => 'page',
          (error) => error.code,
        ),
      );
    }
    expect(outcomes).toContain('net/refused');
    expect(connected.every((address) => address === PUBLIC)).toBe(true);
  }
  expect(inside.connections()).toBe(0);
});

it('each connection costs one question to the name server, and goes to what it answered', async () => {
  const first = await serve((_request, response) => response.end('first'));
  const second = await serve((_request, response) => response.end('second'));
  const { page, asked, connected } = playground({
    names: { 'site.example': [[PUBLIC], [PUBLIC], [ELSEWHERE]] },
    machines: { [PUBLIC]: first.port, [ELSEWHERE]: second.port },
  });
  // The page's own host is checked before robots.txt is asked for, so the first two answers are theirs.
  expect(Buffer.from((await page('http://site.example/')).body).toString()).toBe('first');
  expect(Buffer.from((await page('http://site.example/')).body).toString()).toBe('second');
  expect(asked).toHaveLength(3);
  expect(connected).toEqual([PUBLIC, PUBLIC, ELSEWHERE]);
});

it('a host of net.allow works, whatever spelling, and opens nothing beside it', async () => {
  const server = await serve((_request, response) => response.end('reached'));
  const web = playground({ allow: [`127.0.0.1:${server.port}`], isReal: true });
  expect((await web.page(`http://0x7f.1:${server.port}/`)).url).toBe(`http://127.0.0.1:${server.port}/`);
  const other = await serve((_request, response) => response.end('reached'));
  expect((await faultOf(web.get(`http://127.0.0.1:${other.port}/`))).code).toBe('net/refused');
  expect((await faultOf(web.get(`http://[::1]:${server.port}/`))).code).toBe('net/refused');
  expect((await faultOf(web.get(`http://localhost:${server.port}/`))).code).toBe('net/refused');
  expect(other.connections()).toBe(0);
});

/** A process of its own, since Node reads these variables at its start. */
function fetchIn(environment: Record<string, string>, url: string, allow: string): Promise<string> {
  const source = path.join(import.meta.dirname, '../../src');
  const script = `
    const { httpWebClient } = await import('${source}/adapters/http/web-client.ts');
    const { systemNames } = await import('${source}/adapters/http/system-names.ts');
    const { hostGuard } = await import('${source}/domain/web/host-guard.ts');
    const { parseAllowList } = await import('${source}/domain/web/allow-list.ts');
    const guard = hostGuard({ names: systemNames }, parseAllowList([${JSON.stringify(allow)}]));
    const limits = { maxBytes: 1000, timeoutMs: 30_000, idleMs: 30_000, maxRedirects: 5 };
    const client = httpWebClient({ guard, clock: { now: () => 0 } }, limits);
    const answer = client.get({ url: ${JSON.stringify(url)} }, new AbortController().signal);
    console.log(await answer.then((page) => Buffer.from(page.body).toString(), (error) => error.code));
  `;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { PATH: process.env.PATH ?? '', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve(output.trim()));
  });
}

it('a proxy of the environment is not used', async () => {
  const server = await serve((_request, response) => response.end('direct'));
  const proxy = await serve((_request, response) => response.end('proxied'), { servesRobots: true });
  const url = `http://127.0.0.1:${proxy.port}`;
  const environment = {
    NODE_USE_ENV_PROXY: '1',
    http_proxy: url,
    HTTP_PROXY: url,
    ALL_PROXY: url,
    NO_PROXY: '',
  };
  const target = `127.0.0.1:${server.port}`;
  expect(await fetchIn(environment, `http://${target}/`, target)).toBe('direct');
  expect(proxy.connections()).toBe(0);
});

it('no environment variable switches certificate checks off', async () => {
  const certificate = selfSigned(['127.0.0.1']);
  const server = await serve((_request, response) => response.end('trusted'), { certificate });
  const target = `127.0.0.1:${server.port}`;
  const environment = { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' };
  expect(await fetchIn(environment, `https://${target}/`, target)).toBe('net/tls');
  expect(server.requests).toEqual([]);
});
