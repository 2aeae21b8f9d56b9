import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { type HttpServer, startHttp } from './connect.ts';
import { gardenWorkspace } from './garden.ts';
import { itServes } from './serving.contract.ts';

itServes('http');

const LIST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/list',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

interface Knock {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly path?: string;
}

/** With node's own client, which sends every header as it is told, also those that `fetch` keeps for itself. */
async function knock(server: HttpServer, { headers = {}, method = 'POST', path = '/mcp' }: Knock) {
  const { port } = new URL(server.url);
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
      ...headers,
    },
  });
  sent.end(method === 'POST' ? JSON.stringify(LIST) : undefined);
  const [response] = await once(sent, 'response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode as number, headers: response.headers, body };
}

describe('only programs on this machine that know the token', () => {
  it('are answered, by either name of it', async () => {
    const server = await startHttp(sandbox(''));
    const { port } = new URL(server.url);
    for (const headers of [{}, { host: `localhost:${port}` }, { origin: `http://127.0.0.1:${port}` }]) {
      const { status, body } = await knock(server, { headers });
      expect(status).toBe(200);
      expect(JSON.parse(body).result.tools.length).toBeGreaterThan(3);
    }
  });

  it('are let in; everything foreign is refused', async () => {
    const server = await startHttp(sandbox(''));
    const { port } = new URL(server.url);
    const own = `127.0.0.1:${port}`;
    const refused: [string, Knock, number][] = [
      ['another host', { headers: { host: 'evil.example' } }, 403],
      ['another host with our port', { headers: { host: `evil.example:${port}` } }, 403],
      ['a name that begins like ours', { headers: { host: `127.0.0.1.evil.example:${port}` } }, 403],
      ['another port', { headers: { host: '127.0.0.1:1' } }, 403],
      ['no port', { headers: { host: '127.0.0.1' } }, 403],
      ['an address that means the same', { headers: { host: `127.1:${port}` } }, 403],
      ['the other loopback', { headers: { host: `[::1]:${port}` } }, 403],
      ['any address', { headers: { host: `0.0.0.0:${port}` } }, 403],
      ['an account in the host', { headers: { host: `${own}@evil.example` } }, 403],
      ['a foreign page', { headers: { origin: 'https://evil.example' } }, 403],
      ['a page of no origin', { headers: { origin: 'null' } }, 403],
      ['a page of another port', { headers: { origin: 'http://127.0.0.1:1' } }, 403],
      ['a secure page of this host', { headers: { origin: `https://${own}` } }, 403],
      ['an origin that begins like ours', { headers: { origin: `http://${own}.evil.example` } }, 403],
      ['an empty origin', { headers: { origin: '' } }, 403],
      ['a request of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
      ['a request of a sibling site', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
      ['no token', { headers: { authorization: '' } }, 401],
      ['an empty token', { headers: { authorization: 'Bearer ' } }, 401],
      ['another token', { headers: { authorization: `Bearer ${'0'.repeat(64)}` } }, 401],
      ['half a token', { headers: { authorization: `Bearer ${server.token.slice(0, 32)}` } }, 401],
      ['more than the token', { headers: { authorization: `Bearer ${server.token}0` } }, 401],
      ['the token in capitals', { headers: { authorization: `Bearer ${server.token.toUpperCase()}` } }, 401],
      [
        'the token as a password',
        { headers: { authorization: `Basic ${btoa(`ken:${server.token}`)}` } },
        401,
      ],
      [
        'the token in the address',
        { path: `/mcp?token=${server.token}`, headers: { authorization: '' } },
        401,
      ],
      ['another path', { path: '/' }, 404],
      ['a path below', { path: '/mcp/x' }, 404],
      ['a whole address of elsewhere', { path: 'http://evil.example/mcp' }, 404],
      [
        'a question before the request of a page',
        { method: 'OPTIONS', headers: { origin: 'https://evil.example' } },
        403,
      ],
    ];
    for (const [what, asked, status] of refused) {
      const answer = await knock(server, asked);
      expect([what, answer.status]).toEqual([what, status]);
      expect(answer.body).not.toContain('tools');
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

describe('a client with a session', () => {
  const INITIALIZE = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };

  async function session() {
    const { url, token } = await startHttp(sandbox(''));
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const begun = await fetch(url, { method: 'POST', headers, body: JSON.stringify(INITIALIZE) });
    const own = { ...headers, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    await begun.text();
    return (init: RequestInit) => fetch(url, { ...init, headers: { ...own, ...init.headers } });
  }

  it('listens to events, and again after its connection broke', async () => {
    const ask = await session();
    for (let round = 0; round < 3; round++) {
      const connection = new AbortController();
      await vi.waitFor(async () => {
        const { status } = await ask({ method: 'GET', signal: connection.signal });
        expect(status).toBe(200);
      }, 30_000);
      connection.abort();
    }
  });

  it('reads an error of JSON-RPC for whatever it sends', async () => {
    const ask = await session();
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const bodies = [
      'nope',
      '',
      '[]',
      'null',
      '5',
      '{"jsonrpc":"1.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}',
      '{"jsonrpc":"2.0","id":1e300,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"nope"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":null}}',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"question":${deep}}}}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${'x'.repeat(900_000)}"}}`,
    ];
    const errors = await Promise.all(
      bodies.map(async (body) => {
        const said = await (await ask({ method: 'POST', body })).text();
        return JSON.parse(said.slice(said.indexOf('{'))).error;
      }),
    );
    for (const { code, message } of errors) {
      expect(code).toBeLessThan(0);
      expect(message).toMatch(/^[A-Z"].{10,4000}$/);
      expect(message).not.toMatch(/invalid_|expected|stack|Zod/);
    }
    for (const method of ['PUT', 'PATCH', 'OPTIONS'])
      expect(await (await ask({ method })).json()).toMatchObject({
        error: { message: 'Method not allowed.' },
      });
    expect((await ask({ method: 'HEAD' })).status).toBe(405);
    const stranger = await ask({ method: 'DELETE', headers: { 'mcp-session-id': 'of-somebody-else' } });
    expect(await stranger.json()).toMatchObject({
      error: { message: 'This server does not know the session.' },
    });
    expect((await ask({ method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' })).status).toBe(
      200,
    );
  });
});

it('prints where it listens as data and the token once, elsewhere; and ends when it is told to', async () => {
  const server = await startHttp(sandbox(''));
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  expect(server.token).toMatch(/^[0-9a-f]{64}$/);
  expect(server.said().split(server.token)).toHaveLength(2);
  server.child.kill('SIGTERM');
  expect(await once(server.child, 'exit')).toEqual([143, null]);
});

it('says which port is taken', async () => {
  const server = await startHttp(sandbox(''));
  const { port } = new URL(server.url);
  expect(await sandbox('').ken(['mcp', '--http', port])).toEqual({
    code: 1,
    stdout: '',
    stderr: `ken: Port ${port} of 127.0.0.1 cannot be opened.\nhint: Another program may have it; --http 0 takes a free one.\n`,
  });
  expect(await sandbox('').ken(['mcp', '--http', '70000'])).toMatchObject({ code: 2, stdout: '' });
});

it('keeps its token for the workspace, in a file of the operator alone; another workspace has another', async () => {
  const place = gardenWorkspace();
  const first = await startHttp(place);
  const again = await startHttp(place);
  expect(again.token).toBe(first.token);
  const directory = join(place.home, 'state', 'mcp');
  const [file = ''] = readdirSync(directory);
  expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
  const other = await startHttp({ ...gardenWorkspace(), home: place.home });
  expect(other.token).toMatch(/^[0-9a-f]{64}$/);
  expect(other.token).not.toBe(first.token);
  const stranger = await startHttp({ ...place, home: gardenWorkspace().home });
  expect(stranger.token).not.toBe(first.token);
  const statusOf = async (server: HttpServer, token: string) =>
    (await knock(server, { headers: { authorization: `Bearer ${token}` } })).status;
  for (const server of [first, again, other, stranger])
    for (const { token } of [first, other, stranger])
      expect((await statusOf(server, token)) === 401).toBe(token !== server.token);
});

it.each<[string, (file: string) => void]>([
  ['others can read', (file) => chmodSync(file, 0o644)],
  [
    'leads elsewhere',
    (file) => {
      renameSync(file, `${file}.moved`);
      symlinkSync(`${file}.moved`, file);
    },
  ],
  ['is damaged', (file) => writeFileSync(file, 'short\n')],
])('makes another token when the file of the old one %s', async (_, spoil) => {
  const place = gardenWorkspace();
  const first = await startHttp(place);
  const directory = join(place.home, 'state', 'mcp');
  const [name = ''] = readdirSync(directory);
  spoil(join(directory, name));
  const second = await startHttp(place);
  expect(second.token).toMatch(/^[0-9a-f]{64}$/);
  expect(second.token).not.toBe(first.token);
  expect(lstatSync(join(directory, name)).mode & 0o170777).toBe(0o100600);
});

it('has one token for servers that start at the same moment', async () => {
  const place = gardenWorkspace();
  const servers = await Promise.all(Array.from({ length: 4 }, () => startHttp(place)));
  expect(new Set(servers.map(({ token }) => token)).size).toBe(1);
});

it('takes a token from its environment, and keeps no other', async () => {
  const place = gardenWorkspace();
  const KEN_MCP_TOKEN = 'b2'.repeat(16);
  const server = await startHttp(place, { environment: { KEN_MCP_TOKEN } });
  expect([server.said(), existsSync(join(place.home, 'state', 'mcp'))]).toEqual(['', false]);
  const statusOf = async (token: string) =>
    (await knock(server, { headers: { authorization: `Bearer ${token}` } })).status;
  expect([await statusOf(KEN_MCP_TOKEN), await statusOf('b2'.repeat(15))]).toEqual([200, 401]);
  for (const given of ['', 'short', `${KEN_MCP_TOKEN} x`])
    expect(await place.ken(['mcp', '--http', '0'], { environment: { KEN_MCP_TOKEN: given } })).toMatchObject({
      code: 2,
      stdout: '',
    });
});

it('takes a token from a file and does not print it; refuses a short one', async () => {
  const place = gardenWorkspace();
  const token = 'a1'.repeat(20);
  place.write('token', `${token}\n`);
  const { url, said } = await startHttp(place, { words: ['mcp', '--token-file', 'token'] });
  expect(said()).toBe('');
  const post = (authorization: string) =>
    fetch(url, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await post(`Bearer ${token}`)).status).not.toBe(401);
  expect((await post(`Bearer ${token}0`)).status).toBe(401);
  place.write('token', 'short');
  expect(await place.ken(['mcp', '--http', '0', '--token-file', 'token'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The token needs 32 letters or digits at least.'),
  });
  expect(await place.ken(['mcp', '--http', '0', '--token-file', 'none'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'ken: The token file none cannot be read.\n',
  });
});
