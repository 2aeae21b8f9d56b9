/** Requests over HTTP and secrets of components: only to what was granted, told in the receipt, and masked. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Connect, connectPinned } from '../../src/adapters/http/connect.ts';
import { httpSender } from '../../src/adapters/http/http-sender.ts';
import { systemProcesses } from '../../src/adapters/system/run-process.ts';
import { systemSecrets } from '../../src/adapters/system/secret-store.ts';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { parseAllowList } from '../../src/domain/web/allow-list.ts';
import { hostGuard } from '../../src/domain/web/host-guard.ts';
import type { HttpSender } from '../../src/domain/web/web-client.ts';
import { scriptedNames } from '../web/playground.ts';
import { serve } from '../web/servers.ts';

const FETCH = path.join(import.meta.dirname, 'fetch/fetch.wasm');
const SECRET = 'tok/en+"42%';
const never = new AbortController().signal;
const LIMITS = { maxBytes: 100_000, timeoutMs: 1_000, idleMs: 1_000, maxRedirects: 5 };

interface Given {
  readonly net?: readonly string[];
  /** The operator's `net.allow`. */
  readonly allow?: readonly string[];
  readonly from?: string;
  readonly timeoutMs?: number;
}

/** The network of the next call: the name `site.test` leads to this port on loopback, `inside.test` to a private address. */
let net = { allow: [] as readonly string[], port: 0 };
const names = scriptedNames({ 'site.test': ['93.184.216.34'], 'inside.test': ['10.0.0.1'] });
const sender: HttpSender = {
  send(message, signal) {
    const guard = hostGuard({ names }, parseAllowList(net.allow));
    const connect: Connect = (pinned, ended) =>
      connectPinned(
        pinned.host === 'site.test' ? { ...pinned, addresses: ['127.0.0.1'], port: net.port } : pinned,
        ended,
      );
    return httpSender({ guard, connect }, LIMITS).send(message, signal);
  },
};
const environment = { SITE_TOKEN: SECRET, PATH: '/nowhere' };
const cacheDirectory = mkdtempSync(path.join(tmpdir(), 'ken-network-'));
const host = wasmComponentHost({
  cacheDirectory,
  memoryMib: 32,
  outputBytes: 1000,
  outside: { sender, secrets: systemSecrets({ processes: systemProcesses, environment }) },
});
afterAll(async () => {
  await host.close();
  rmSync(cacheDirectory, { recursive: true });
});

async function run(given: Given, port: number, asked: JsonObject) {
  const { net: hosts = [], allow = [], from = 'env:SITE_TOKEN', timeoutMs = 20_000 } = given;
  net = { allow, port };
  const { outcome, receipt } = await host.run(
    {
      component: { file: FETCH },
      tool: 'fetch',
      request: {
        action: 'run',
        arguments: { method: 'GET', scheme: 'HTTP', authority: 'site.test', path: '/', ...asked },
        answers: {},
      },
      root: '/workspace',
      directories: [],
      outside: { net: hosts, secrets: [{ name: 'TOKEN', from }] },
      timeoutMs,
    },
    never,
  );
  const { requests } = receipt;
  return { outcome: outcome.type === 'success' ? outcome.text : JSON.stringify(outcome), requests, receipt };
}

const echo = () =>
  serve((request, response) => {
    if (request.url === '/away')
      return void response.writeHead(302, { location: 'http://10.0.0.1/' }).end('away');
    if (request.url === '/large') return void response.end('x'.repeat(200_000));
    if (request.url === '/never') return;
    if (request.url === '/name') return void response.writeHead(200, { ['n'.repeat(2000)]: '' }).end();
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () =>
      response.end(`${request.headers['x-secret'] ? 'with secret' : 'plain'} ${Buffer.concat(parts)}`),
    );
  });

it('sends a request to a host that was granted, with its secret as a header', async () => {
  const { port, requests, headers } = await echo();
  const posted = await run({ net: ['site.test:80'] }, port, {
    method: 'POST',
    path: '/a?key=1',
    body: 'text',
    secret: 'TOKEN',
  });
  expect(posted).toMatchObject({
    outcome: '200 with secret text',
    requests: [{ method: 'POST', url: 'http://site.test/a', status: 200, sentBytes: 4, receivedBytes: 16 }],
  });
  expect(requests).toEqual(['POST /a?key=1']);
  expect(headers[0]).toMatchObject({ 'x-secret': SECRET, host: 'site.test', 'content-length': '4' });
});

const denied = (refused: string, more: JsonObject = {}) => [
  { method: 'GET', refused, sentBytes: 0, receivedBytes: 0, url: expect.any(String), ...more },
];

it.each<[string, Given, JsonObject, string, string]>([
  ['without net', {}, {}, 'HTTP-request-denied', '"net" of the tool does not list site.test:80'],
  [
    'to another host',
    { net: ['other.test:80'] },
    {},
    'HTTP-request-denied',
    '"net" of the tool does not list site.test:80',
  ],
  [
    'to another port',
    { net: ['site.test:443'] },
    {},
    'HTTP-request-denied',
    '"net" of the tool does not list site.test:80',
  ],
  [
    'to a private address',
    { net: ['10.0.0.1:80'] },
    { authority: '10.0.0.1' },
    'destination-IP-prohibited',
    '10.0.0.1 is a private address; ken does not connect to those.',
  ],
  [
    'to this machine',
    { net: ['127.0.0.1:80'] },
    { authority: '127.0.0.1' },
    'destination-IP-prohibited',
    '127.0.0.1 is a loopback address; ken does not connect to those.',
  ],
  [
    'to a name that leads to a private address',
    { net: ['inside.test:80'] },
    { authority: 'inside.test' },
    'destination-IP-prohibited',
    'inside.test resolves to 10.0.0.1, a private address; ken does not connect to those.',
  ],
  [
    'to a name that nobody knows',
    { net: ['nowhere.test:80'] },
    { authority: 'nowhere.test' },
    'destination-not-found',
    'There is no host nowhere.test.',
  ],
  [
    'with a name and password in its address',
    { net: ['site.test:80'] },
    { authority: 'ada:pass@site.test' },
    'HTTP-request-URI-invalid',
    'the address or the method is not valid',
  ],
  [
    'to a private address in the form of IPv6',
    { net: ['[::ffff:10.0.0.1]:80'] },
    { authority: '[::ffff:10.0.0.1]' },
    'destination-IP-prohibited',
    '::ffff:a00:1 is a private address; ken does not connect to those.',
  ],
  [
    'to this machine as one number',
    { net: ['127.0.0.1:80'] },
    { authority: '2130706433' },
    'destination-IP-prohibited',
    '127.0.0.1 is a loopback address; ken does not connect to those.',
  ],
  [
    'to another host behind the name of one that is listed',
    { net: ['site.test:80'] },
    { authority: 'site.test:80@10.0.0.1' },
    'HTTP-request-URI-invalid',
    'the address or the method is not valid',
  ],
  [
    'that would open a tunnel',
    { net: ['site.test:80'] },
    { method: 'CONNECT' },
    'HTTP-request-URI-invalid',
    'the address or the method is not valid',
  ],
])('refuses a request %s, and says so in the receipt', async (_, given, asked, code, refused) => {
  const { port, connections } = await echo();
  const { outcome, requests } = await run(given, port, asked);
  expect(outcome).toContain(`"message":"${code}"`);
  expect(requests).toEqual(denied(refused, asked.method === undefined ? {} : { method: asked.method }));
  expect(connections()).toBe(0);
});

it('reaches a host on loopback that the operator allowed', async () => {
  const { port } = await echo();
  const here = `127.0.0.1:${port}`;
  const { outcome, requests } = await run({ net: [here], allow: [here] }, port, { authority: here });
  expect(outcome).toBe('200 plain ');
  expect(requests).toMatchObject([{ url: `http://${here}/`, status: 200 }]);
});

it('follows no redirect: the tool has to ask for the next address, which is checked', async () => {
  const { port, requests } = await echo();
  const { outcome } = await run({ net: ['site.test:80'] }, port, { path: '/away' });
  expect([outcome, requests]).toEqual(['302 away', ['GET /away']]);
});

it('refuses a response with a header that no guest takes', async () => {
  const { port } = await echo();
  const { outcome, requests } = await run({ net: ['site.test:80'] }, port, { path: '/name' });
  expect(outcome).toContain('"message":"HTTP-protocol-error"');
  expect(requests).toMatchObject([
    { status: 200, refused: 'the name of a header is longer than 1000 characters' },
  ]);
});

it('limits the size of a response and the time for it', async () => {
  const { port } = await echo();
  const granted = { net: ['site.test:80'] };
  const large = await run(granted, port, { path: '/large' });
  expect(large.outcome).toContain('"message":"the body broke off"');
  expect(large.requests).toMatchObject([
    { status: 200, refused: 'http://site.test/large is larger than 100000 bytes.' },
  ]);
  const slow = await run(granted, port, { path: '/never' });
  expect(slow.outcome).toContain('"message":"HTTP-response-timeout"');
  await expect(run({ ...granted, timeoutMs: 500 }, port, { path: '/never' })).rejects.toMatchObject({
    code: 'tools/timeout',
  });
});

it.each(['result', 'error', 'stdout', 'base64', 'crash'])(
  'masks a secret that a tool shows: %s',
  async (leak) => {
    const told = await run({}, 0, { secret: 'TOKEN', leak }).catch((error: Error) => ({
      outcome: error.message,
      receipt: String(error.cause),
    }));
    const text = JSON.stringify(told);
    expect(text).toContain('[secret]');
    for (const spelling of [SECRET, JSON.stringify(SECRET).slice(1, -1), btoa(SECRET)]) {
      expect(text).not.toContain(spelling);
    }
  },
);

it('does not start a tool whose secret is missing', async () => {
  await expect(run({ from: 'env:ABSENT' }, 0, { leak: 'result' })).rejects.toMatchObject({
    code: 'tools/no-secret',
    message: 'The variable ABSENT is not set.',
  });
  await expect(run({ from: 'keyring:site' }, 0, { leak: 'result' })).rejects.toMatchObject({
    code: 'tools/no-secret',
    hint: expect.stringContaining('use "env:VARIABLE" instead of "keyring:site"'),
  });
});
