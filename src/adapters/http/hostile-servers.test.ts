import { expect, it } from 'vitest';
import { faultOf, type Internet, playground } from '../../../test/web/playground.ts';
import { serve, serveBytes, unusedPort } from '../../../test/web/servers.ts';
import { Fault } from '../../base/fault.ts';

const A = '93.184.216.34';
const URL_OF_IT = 'http://site.example/';

const at = (port: number, limits: NonNullable<Internet['limits']> = {}) =>
  playground({ names: { 'site.example': [A] }, machines: { [A]: port }, limits });

const says = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

it.each([
  [
    'a length that promises more than comes',
    `${says('HTTP/1.1 200 OK', 'content-length: 100')}half`,
    'net/connection',
    'was cut short: the connection closed too early.',
  ],
  [
    'chunks that stop before the last one',
    `${says('HTTP/1.1 200 OK', 'transfer-encoding: chunked')}5\r\nhello\r\n`,
    'net/connection',
    'was cut short: the connection closed too early.',
  ],
  [
    'chunks of impossible size',
    `${says('HTTP/1.1 200 OK', 'transfer-encoding: chunked')}zz\r\nhello\r\n`,
    'net/protocol',
    'came damaged: its content cannot be unpacked or read.',
  ],
  ['a closed connection', '', 'net/connection', 'closed the connection before it had answered.'],
  [
    'half a head',
    'HTTP/1.1 200 OK\r\ncontent-le',
    'net/connection',
    'closed the connection before it had answered.',
  ],
  [
    'another protocol',
    'SSH-2.0-OpenSSH_9.2\r\n',
    'net/protocol',
    'does not answer in HTTP (HPE_INVALID_CONSTANT).',
  ],
  [
    'two lengths',
    `${says('HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2')}ab`,
    'net/protocol',
    'does not answer in HTTP (HPE_UNEXPECTED_CONTENT_LENGTH).',
  ],
  [
    'a length beside chunks',
    `${says('HTTP/1.1 200 OK', 'content-length: 1', 'transfer-encoding: chunked')}0\r\n\r\n`,
    'net/protocol',
    'does not answer in HTTP (HPE_INVALID_TRANSFER_ENCODING).',
  ],
  [
    'a flood of headers',
    says('HTTP/1.1 200 OK', ...Array.from({ length: 5000 }, (_, at) => `x-${at}: ${'y'.repeat(40)}`)),
    'net/too-large',
    'sends too many headers.',
  ],
  [
    'one endless header',
    `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(200_000)}`,
    'net/too-large',
    'sends too many headers.',
  ],
  [
    'a switch of protocols',
    says('HTTP/1.1 101 Switching Protocols', 'connection: upgrade', 'upgrade: websocket'),
    'net/connection',
    'closed the connection before it had answered.',
  ],
  [
    'a redirect to nowhere',
    says('HTTP/1.1 302 Found', 'content-length: 0'),
    'net/protocol',
    'answered 302 without an address to redirect to.',
  ],
])('%s', async (_name, bytes, code, text) => {
  const { port } = await serveBytes((socket) => socket.end(bytes));
  expect(await faultOf(at(port).get(URL_OF_IT))).toEqual({ code, message: `${URL_OF_IT} ${text}` });
});

it('a length that promises less than comes is believed', async () => {
  const { port } = await serveBytes((socket) =>
    socket.end(`${says('HTTP/1.1 200 OK', 'content-length: 4')}half and more`),
  );
  expect(Buffer.from((await at(port).page(URL_OF_IT)).body).toString()).toBe('half');
});

it('early hints before the answer are passed over', async () => {
  const { port } = await serveBytes((socket) =>
    socket.end(
      `${says('HTTP/1.1 103 Early Hints', 'link: </a>')}${says('HTTP/1.1 200 OK', 'content-length: 2')}ok`,
    ),
  );
  expect(Buffer.from((await at(port).page(URL_OF_IT)).body).toString()).toBe('ok');
});

it('a connection that is reset', async () => {
  const { port } = await serveBytes((socket) => socket.resetAndDestroy());
  expect((await faultOf(at(port).get(URL_OF_IT))).code).toBe('net/connection');
});

it('a connection that is reset in the middle of the body', async () => {
  const { port } = await serveBytes((socket) => {
    socket.write(`${says('HTTP/1.1 200 OK', 'content-length: 100')}half`, () => socket.resetAndDestroy());
  });
  expect((await faultOf(at(port).get(URL_OF_IT))).code).toBe('net/connection');
});

it('a connection that is reset in the middle of a body of unknown length', async () => {
  const { port } = await serveBytes((socket) => {
    socket.write(`${says('HTTP/1.1 200 OK')}half`, () => setTimeout(() => socket.resetAndDestroy(), 20));
  });
  expect(await faultOf(at(port).get(URL_OF_IT))).toEqual({
    code: 'net/connection',
    message: `${URL_OF_IT} was cut short: the connection closed too early.`,
  });
});

it('a body that never ends', async () => {
  const server = await serve((_request, response) => {
    const more = () => {
      while (response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  expect(await faultOf(at(server.port, { maxBytes: 100_000 }).get(URL_OF_IT))).toEqual({
    code: 'net/too-large',
    message: `${URL_OF_IT} is larger than 100000 bytes.`,
  });
});

it('an announced length that is too large is not waited for', async () => {
  const { port } = await serveBytes((socket) =>
    socket.write(says('HTTP/1.1 200 OK', 'content-length: 1000001')),
  );
  expect((await faultOf(at(port).get(URL_OF_IT))).code).toBe('net/too-large');
});

it('a server that never answers', async () => {
  const { port } = await serveBytes(() => {});
  expect(await faultOf(at(port, { timeoutMs: 50 }).get(URL_OF_IT))).toEqual({
    code: 'net/timeout',
    message: `${URL_OF_IT} was not fetched within 0.05 s.`,
  });
  expect(await faultOf(at(port, { idleMs: 50 }).get(URL_OF_IT))).toEqual({
    code: 'net/timeout',
    message: `${URL_OF_IT} sent nothing for 0.05 s.`,
  });
});

it('a body that stops coming', async () => {
  const { port } = await serveBytes((socket) => socket.write(`${says('HTTP/1.1 200 OK')}half`));
  expect((await faultOf(at(port, { idleMs: 50 }).get(URL_OF_IT))).message).toBe(
    `${URL_OF_IT} sent nothing for 0.05 s.`,
  );
});

it.each([
  ['a body that drips', says('HTTP/1.1 200 OK'), 'x'],
  ['a head that drips', 'HTTP/1.1 200 OK\r\nx: ', 'y'],
  ['preliminary answers without end', '', says('HTTP/1.1 100 Continue')],
])('%s', async (_name, start, drop) => {
  const { port } = await serveBytes((socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(drop), 10);
    socket.on('close', () => clearInterval(timer));
  });
  expect((await faultOf(at(port, { idleMs: 5_000, timeoutMs: 150 }).get(URL_OF_IT))).message).toBe(
    `${URL_OF_IT} was not fetched within 0.15 s.`,
  );
});

it('redirects that each take their time share one limit', async () => {
  const server = await serve((request, response) => {
    const next = Number(request.url?.slice(1)) + 1;
    setTimeout(() => response.writeHead(302, { location: `/${next}` }).end(), 40);
  });
  const { get } = at(server.port, { timeoutMs: 100, maxRedirects: 100 });
  expect((await faultOf(get(`${URL_OF_IT}1`))).code).toBe('net/timeout');
});

it.each([
  ['a name server', 'names'],
  ['robots.txt', 'robots'],
  ['the head', 'head'],
  ['the body', 'body'],
])('an abort while waiting for %s ends at once with its reason', async (_name, stage) => {
  const abort = new AbortController();
  const reason = new Fault('process/interrupted', 'Stopped.');
  const stop = () => abort.abort(reason);
  const server = await serve(
    (request, response) => {
      if (request.url === '/robots.txt' && stage !== 'robots') response.writeHead(404).end();
      else if (stage === 'body') response.write('x', stop);
      else stop();
    },
    { servesRobots: true },
  );
  const guard =
    stage === 'names'
      ? { pin: (_target: unknown, signal: AbortSignal) => waitForAbort(signal, stop) }
      : undefined;
  const { get } = playground({
    names: { 'site.example': [A] },
    machines: { [A]: server.port },
    ...(guard ? { guard } : {}),
  });
  await expect(get(URL_OF_IT, {}, abort.signal)).rejects.toBe(reason);
});

function waitForAbort(signal: AbortSignal, stop: () => void): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    stop();
  });
}

it('a redirect loop of two, and one of many', async () => {
  const server = await serve((request, response) => {
    const next = Number(request.url?.slice(2) ?? 0) + 1;
    const location = request.url?.startsWith('/n') ? `/n${next}` : request.url === '/a' ? '/b' : '/a';
    response.writeHead(302, { location }).end();
  });
  const { get } = at(server.port);
  expect(await faultOf(get(`${URL_OF_IT}a`))).toEqual({
    code: 'net/redirects',
    message: `${URL_OF_IT}a redirects in a circle, back to ${URL_OF_IT}a.`,
  });
  expect(await faultOf(get(`${URL_OF_IT}n1`))).toEqual({
    code: 'net/redirects',
    message: `${URL_OF_IT}n1 redirects more than 5 times.`,
  });
  expect(server.requests.filter((line) => line.startsWith('GET /n'))).toHaveLength(6);
});

it('a connection that nobody accepts', async () => {
  expect((await faultOf(at(await unusedPort()).get(URL_OF_IT))).message).toBe(
    'http://site.example cannot be reached: nothing listens at that port.',
  );
});
