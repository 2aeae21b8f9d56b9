import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { leavePending } from '../approvals/pending.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { scaled } from '../scale.ts';
import { type PageHere, pageHere } from './page-here.ts';

async function garden(): Promise<PageHere> {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  place.write('docs/deploy.md', '# Deploy\n');
  await leavePending(place, { type: 'workspace_escape', path: '/etc/hosts' });
  return pageHere(place);
}

const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/search': ['q', 'part', 'topic'],
  '/cite': ['uri', 'sha256'],
  '/cite/raw': ['uri', 'sha256'],
  '/approvals/show': ['id'],
  '/approvals/edit': ['id'],
  '/kb/subject': ['topic', 'slug'],
  '/kb/edit': ['topic', 'slug', 'draft'],
  '/references/topic': ['id', 'refresh'],
  '/references/new': ['approval'],
  '/ledger': ['status', 'ago', 'as_of', 'tag', 'label', 'from'],
  '/ledger/entry': ['id', 'from', 'to'],
  '/ledger/new': ['edit', 'replace'],
  '/ledger/promote': ['id'],
  '/conversations': ['label', 'archived'],
  '/conversations/show': ['id'],
  '/conversations/turn': ['key'],
  '/conversations/export': ['id', 'format'],
  '/tools/show': ['name', 'tried'],
  '/settings/change': ['key', 'value'],
};

const ODD: readonly string[] = [
  ...[
    '__proto__',
    'constructor',
    '__proto__.x',
    'toString',
    '../../etc/passwd',
    '..%2f..%2fetc',
    '/etc/passwd',
  ],
  ...['%00', 'a%00b', '%ED%A0%80', '%FF', '%F0%9F%98%80', '-1', '1e999', 'NaN', '99999999999999999999'],
  ...[
    'ken://',
    'ken://kb/project/deploy%23L0',
    'ken://kb/project/deploy%23L9-L3',
    'ken://kb/../../etc/passwd',
  ],
  ...['ken://ref/topic-x@y/../../../etc/passwd', 'ken://kb/project/deploy%23L1-L99999999999'],
  ...[
    "'%20or%201=1--",
    '%22%3E%3Cscript%3Ewindow.ran=1%3C/script%3E',
    'x'.repeat(8_000),
    '%0d%0aSet-Cookie:%20a=b',
  ],
];

/** The page and its twin; in the short form one of them by turns. */
function twinsOf(path: string, turn: number): readonly string[] {
  if (path === '/cite/raw' || path === '/conversations/export') return [''];
  return scaled(1) > 1 ? ['', '.json'] : [turn % 2 === 0 ? '' : '.json'];
}

it('answers odd values of every parameter with a sentence, and never with a bug or their text as code', async () => {
  const page = await garden();
  const wrong: unknown[] = [];
  for (const [path, names] of Object.entries(PARAMETERS))
    for (const [row, name] of names.entries())
      for (const [column, value] of ODD.entries())
        for (const twin of twinsOf(path, row + column)) {
          const { status, body, headers } = await page.get(`${path}${twin}?${name}=${value}`);
          const isFine =
            status < 500 &&
            !body.includes('ken has a bug here') &&
            (twin !== '' || !body.includes('<script>window')) &&
            !body.includes('root:x:') &&
            headers['cache-control'] === 'no-store' &&
            headers['x-content-type-options'] === 'nosniff' &&
            headers['set-cookie'] === undefined;
          if (!isFine) wrong.push([path + twin, name, value.slice(0, 60), status]);
        }
  expect(wrong).toEqual([]);
  expect(page.bugs).toEqual([]);
}, 120_000);

/** The status of an answer to exactly these bytes. */
async function raw(page: PageHere, text: string): Promise<string> {
  const socket = connect(Number(page.host.split(':')[1]), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (data: string) => {
    answer += data;
    socket.end();
  });
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return answer.split(' ')[1] ?? '';
}

it('takes no request apart from how it was meant: two hosts, foreign targets, upgrades, tokens in the address', async () => {
  const page = await garden();
  const { host, cookie } = page;
  const token = /name="form_token" value="([0-9a-f]+)"/.exec((await page.get('/jobs')).body)?.[1] ?? '';
  const get = (target: string, ...lines: readonly string[]) =>
    raw(page, `GET ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  const own = [`Host: ${host}`, `Cookie: ${cookie}`];
  const statuses = {
    plain: await get('/jobs', ...own),
    'no host': await get('/jobs', `Cookie: ${cookie}`),
    'two hosts': await get('/jobs', ...own, 'Host: evil.example'),
    'a host with a dot': await get('/jobs', `Host: ${host.replace(':', '.:')}`, `Cookie: ${cookie}`),
    'a foreign target': await get('http://evil.example/jobs', 'Host: evil.example', `Cookie: ${cookie}`),
    'two cookies, the own one last': await get('/jobs', `Host: ${host}`, `Cookie: ken=0; ${cookie}`),
    'an upgrade': await get(
      '/events',
      ...own,
      'Upgrade: websocket',
      'Connection: upgrade',
      'Origin: http://evil.example',
    ),
    'a stream for another site': await get(
      '/events',
      ...own,
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Mode: cors',
    ),
    'a worker of another site': await get(
      '/jobs.json',
      ...own,
      'Sec-Fetch-Site: same-site',
      'Sec-Fetch-Dest: worker',
    ),
  };
  expect(statuses).toEqual({
    plain: '200',
    'no host': '400',
    'two hosts': expect.stringMatching(/^4/),
    'a host with a dot': '421',
    'a foreign target': '421',
    'two cookies, the own one last': expect.stringMatching(/^(?:200|401)$/),
    'an upgrade': '403',
    'a stream for another site': '403',
    'a worker of another site': '403',
  });
  const headers = { cookie, origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded' };
  const inAddress = await page.ask({
    method: 'POST',
    path: `/sign-out?form_token=${token}`,
    headers,
    body: '',
  });
  expect(inAddress.status).toBe(403);
  const login = new URL(page.login).pathname;
  for (const method of ['GET', 'HEAD']) await page.ask({ method, path: login });
  const foreign = { ...headers, origin: 'http://evil.example', cookie: '' };
  expect((await page.ask({ method: 'POST', path: login, headers: foreign, body: '' })).status).toBe(403);
  // None of these has used it up.
  expect(
    (await page.ask({ method: 'POST', path: login, headers: { ...headers, cookie: '' }, body: '' })).status,
  ).toBe(303);
  expect((await page.get('/jobs')).status).toBe(200);
});
