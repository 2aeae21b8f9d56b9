import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type PageHere, pageHere } from './page-here.ts';
import { ownForm, signIn } from './serve-page.ts';

/** Everything that the server answers to exactly these bytes before it hangs up. */
async function raw({ host }: PageHere, text: string): Promise<string> {
  const socket = connect(Number(host.split(':')[1]), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    answer += data;
  });
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

const statusOf = (answer: string) => answer.split(' ')[1] ?? 'closed';

it('answers to its own name alone, however it is written', async () => {
  const page = await pageHere();
  const { host, cookie } = page;
  const [name = '', port = ''] = host.split(':');
  const hosts = [
    ...[
      `${name}.:${port}`,
      `${name}:0${port}`,
      `${name}:${port}0`,
      name,
      `${name}:`,
      `a@${host}`,
      ` ${host}, x`,
    ],
    ...[
      `${host}/`,
      `${host}#`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `0.0.0.0:${port}`,
      `127.1:${port}`,
    ],
    ...[
      `localhost.:${port}`,
      `${name}.localhost:${port}`,
      `xn--${host}`,
      `%6b${host.slice(1)}`,
      host.replace('k', '\u212a'),
    ],
  ];
  const seen: Record<string, string> = {};
  for (const each of hosts)
    seen[each] = statusOf(
      await raw(
        page,
        `GET /jobs HTTP/1.1\r\nHost: ${each}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
      ),
    );
  expect(seen).toEqual(
    Object.fromEntries(hosts.map((each) => [each, expect.stringMatching(/^4(?:00|21)$/)])),
  );
});

it('reads one request as one, whatever its head says of its length', async () => {
  const page = await pageHere();
  const { host, cookie } = page;
  const token = await tokenOf(page, cookie);
  const own = `Host: ${host}\r\nCookie: ${cookie}\r\n`;
  const form = `Origin: http://${host}\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
  const body = `form_token=${token}`;
  const inner = `POST /sign-out HTTP/1.1\r\nHost: evil.example\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const heads: Readonly<Record<string, string>> = {
    'two lengths': `Content-Length: 0\r\nContent-Length: ${body.length}\r\n`,
    'a length and chunks': `Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n`,
    'chunks that are none': `Content-Length: ${body.length}\r\nTransfer-Encoding: xchunked\r\n`,
    'a length that is none': 'Content-Length: +5\r\n',
    'a folded line': `X-A: b\r\n Content-Length: ${body.length}\r\n`,
    'a space before the colon': `Content-Length : ${body.length}\r\n`,
    'a bare line end': `X-A: b\nContent-Length: ${body.length}\r\n`,
    'a NUL': 'X-A: a\0b\r\n',
  };
  const seen: Record<string, string> = {};
  for (const [what, head] of Object.entries(heads))
    seen[what] = statusOf(await raw(page, `POST /sign-out HTTP/1.1\r\n${own}${form}${head}\r\n${body}`));
  expect(seen).toEqual(
    Object.fromEntries(
      Object.keys(heads).map((what) => [what, expect.stringMatching(/^(?:400|403|closed)$/)]),
    ),
  );
  // What follows a whole request is a request of its own, and is refused by its own head.
  const after = await raw(page, `GET /jobs HTTP/1.1\r\n${own}\r\n${inner}`);
  expect([...after.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '421']);
  const inside = `GET /jobs HTTP/1.1\r\n${own}Content-Length: ${inner.length}\r\nConnection: close\r\n\r\n${inner}`;
  expect([...(await raw(page, inside)).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '200',
  ]);
  expect((await page.get('/jobs')).status).toBe(200);
});

it('opens nothing to a stranger by another way to write a path or a method', async () => {
  const page = await pageHere();
  const { host } = page;
  const paths = [
    ...[
      '/approvals/',
      '//approvals',
      '/./approvals',
      '/x/../approvals',
      '/%61pprovals',
      '/approvals%2fshow?id=x',
    ],
    ...[
      '/approvals;x',
      '/approvals%00',
      '/approvals.json/',
      '/APPROVALS.json',
      '/assets/..%2f..%2findex.json',
    ],
    ...[
      '/assets/%2e%2e/index.json',
      '/login/..%2findex.json',
      '/login/../index.json',
      '/favicon.svg/../index.json',
    ],
    ...[
      `http://${host}/index.json`,
      `http://evil.example/index.json`,
      '/index.json#',
      '/index.json?x=/assets/',
    ],
  ];
  const found: unknown[] = [];
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST']) {
      const own =
        method === 'POST' ? 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n' : '';
      const answer = await raw(
        page,
        `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\n${own}Connection: close\r\n\r\n`,
      );
      if (!/^4\d\d$/.test(statusOf(answer)) || answer.includes('"waiting"'))
        found.push([method, path, answer]);
    }
  expect(found).toEqual([]);
  const methods: Record<string, string> = {};
  for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY', 'get'])
    methods[method] = statusOf(
      await raw(
        page,
        `${method} /jobs HTTP/1.1\r\nHost: ${host}\r\nCookie: ${page.cookie}\r\nConnection: close\r\n\r\n`,
      ),
    );
  expect(Object.values(methods).filter((status) => !/^(?:400|405|closed)$/.test(status))).toEqual([]);
});

async function tokenOf(page: PageHere, cookie: string): Promise<string> {
  const { body } = await page.ask({ path: '/jobs', headers: { cookie } });
  return /name="form_token" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '';
}

it('takes the token of one sign-in for no other, and one login address once, also when two use it at once', async () => {
  const page = await pageHere();
  const { pathname } = new URL(page.login);
  const headers = ownForm(page.host);
  const knock = { method: 'POST', path: pathname, headers, body: '' };
  const both = await Promise.all([page.ask(knock), page.ask(knock)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 403]);
  const other = both.flatMap((reply) => reply.headers['set-cookie'] ?? [])[0]?.split(';')[0] ?? '';
  const [mine, theirs] = [await tokenOf(page, page.cookie), await tokenOf(page, other)];
  const send = (cookie: string, token: string) =>
    page.ask({
      method: 'POST',
      path: '/sign-out',
      headers: { ...headers, cookie },
      body: `form_token=${token}`,
    });
  expect((await send(page.cookie, theirs)).status).toBe(403);
  expect((await send(other, mine)).status).toBe(403);
  // The first of several fields counts, and it is not the right one.
  expect((await send(other, `${mine}&form_token=${theirs}`)).status).toBe(403);
  expect((await send(other, theirs)).status).toBe(303);
  expect((await send(page.cookie, mine)).status).toBe(401);
  await expect(signIn(page, page.login)).rejects.toThrow();
});

it('answers while somebody holds more connections than it has, silent ones and slow ones', async () => {
  const page = await pageHere();
  const port = Number(page.host.split(':')[1]);
  const whole = `GET /jobs HTTP/1.1\r\nHost: ${page.host}\r\nCookie: ${page.cookie}\r\nConnection: close\r\n\r\n`;
  const held: Socket[] = [];
  onTestFinished(() => held.forEach((socket) => void socket.destroy()));
  for (let at = 0; at < 600; at++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (at % 2 === 0) socket.write(`POST /sign-out HTTP/1.1\r\nHost: ${page.host}\r\nX-`);
    held.push(socket);
    if (at % 100 === 99) expect(statusOf(await raw(page, whole))).toBe('200');
  }
  expect(held.filter(({ destroyed }) => !destroyed).length).toBeLessThan(200);
});

it('ends streams beyond its number with a word, and has room again once some are closed', async () => {
  const page = await pageHere();
  const port = Number(page.host.split(':')[1]);
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(`GET /events HTTP/1.1\r\nHost: ${page.host}\r\nCookie: ${page.cookie}\r\n\r\n`);
    const [head] = await once(socket, 'data');
    return { socket, status: statusOf(String(head)) };
  };
  const streams = await Promise.all(Array.from({ length: 260 }, open));
  expect(streams.filter(({ status }) => status === '200').length).toBe(256);
  expect(streams.filter(({ status }) => status === '503').length).toBe(4);
  expect((await page.get('/jobs')).status).toBe(200);
  for (const { socket } of streams) socket.destroy();
  await expect.poll(async () => (await open()).status, { timeout: 10_000 }).toBe('200');
}, 60_000);
