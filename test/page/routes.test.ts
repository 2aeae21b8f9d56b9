import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ACTIONS, PAGES } from '../../src/entry/web/pages.ts';
import { leavePending } from '../approvals/pending.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { pageHere } from './page-here.ts';
import { ownForm } from './serve-page.ts';

const TWINS = PAGES.map(({ path }) => (path === '/' ? '/index.json' : `${path}.json`));
const STREAMS = ['/events', '/conversations/turn/events?key=x', '/cite/raw?uri=x'];
const FORMS = [...ACTIONS.map(({ path }) => path), '/sign-out'];

it('opens no route without a sign-in, and none that changes something without the form of the page', async () => {
  const page = await pageHere();
  const { cookie, host } = page;
  const own = ownForm(host);
  const seen: Record<string, number[]> = {};
  for (const path of [...TWINS, ...STREAMS]) {
    const stranger = await page.ask({ path });
    const site = {
      cookie,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'script',
    };
    seen[path] = [stranger.status, (await page.ask({ path, headers: site })).status];
  }
  for (const path of FORMS) {
    const post = (headers: Record<string, string>, body = '') =>
      page.ask({ method: 'POST', path, headers, body });
    const replies = [
      await post(own),
      await post({ cookie, ...own }),
      await post({ cookie, ...own }, `form_token=${'0'.repeat(64)}`),
      await post({ cookie, ...own, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
      await page.ask({ path, headers: { cookie, 'x-http-method-override': 'POST' } }),
    ];
    seen[path] = replies.map(({ status }) => status);
  }
  const read: Record<string, number> = {};
  for (const path of FORMS) read[path] = (await page.get(path)).status;
  expect(seen).toEqual({
    ...Object.fromEntries([...TWINS, ...STREAMS].map((path) => [path, [401, 403]])),
    ...Object.fromEntries(FORMS.map((path) => [path, [401, 403, 403, 403, read[path]]])),
  });
  expect(page.bugs).toEqual([]);
});

it('has no route that changes something on a read-only page', async () => {
  const page = await pageHere(undefined, { isReadOnly: true });
  const headers = { cookie: page.cookie, ...ownForm(page.host) };
  const found: string[] = [];
  for (const { path } of ACTIONS)
    if ((await page.ask({ method: 'POST', path, headers, body: '' })).status !== 404) found.push(path);
  expect(found).toEqual([]);
  for (const { path } of PAGES) expect((await page.get(path)).body).not.toContain('method="post"');
});

it('asks whether the operator is present before every form, and for the lock before those that decide', async () => {
  const absent = { isPresent: false, why: 'there is no person at a terminal', hint: 'Go to one.' } as const;
  const page = await pageHere(undefined, {
    change: (app) => ({ ...app, operator: { ...app.operator, presence: async () => absent } }),
  });
  const refused: string[] = [];
  for (const { path } of ACTIONS) {
    const { status, body } = await page.send(path, {});
    if (status === 403 && body.includes('needs you: there is no person at a terminal')) refused.push(path);
  }
  expect(refused).toEqual(ACTIONS.map(({ path }) => path));
  expect(ACTIONS.filter(({ decides }) => decides).map(({ path }) => path)).toEqual([
    '/approvals/approve',
    '/approvals/edit',
    '/references/create',
    '/ledger/confirm',
    '/doctor/mend',
  ]);
});

it('leads back to its own pages only', async () => {
  const page = await pageHere();
  const own = { ...ownForm(page.host), cookie: page.cookie };
  const token = /name="form_token" value="([0-9a-f]+)"/.exec((await page.get('/')).body)?.[1] ?? '';
  for (const back of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/x\r\ny: z',
    '/\t/evil.example',
  ]) {
    const body = String(new URLSearchParams({ form_token: token, id: 'x', back }));
    const reply = await page.ask({ method: 'POST', path: '/approvals/lock', headers: own, body });
    expect([back, reply.headers.location ?? null]).toEqual([back, '/']);
  }
});

it('shows the library and the approvals outside of a workspace, and says on the other pages what to do', async () => {
  const place = sandboxHere('');
  place.write('manual/one.md', '# One\n\nCoffee is ground first.\n');
  await place.ken(['ref', 'import', 'manual', '--title', 'Manual']);
  const root = path.join(place.home, 'elsewhere');
  mkdirSync(root);
  const page = await pageHere({ ...place, root });
  expect(page.app.workspace).toBeUndefined();
  expect((await page.get('/')).body).not.toContain('/ledger/new');
  const { id } = await leavePending(place, { type: 'workspace_escape', path: '/etc/hosts' });
  const seen: Record<string, number> = {};
  for (const { path: at } of PAGES.filter(({ section }) => section !== 'search')) {
    const { status, body } = await page.get(at);
    seen[at] = status;
    if (status === 404 && at === '/ledger') expect(body).toContain('The page runs outside of a workspace.');
  }
  const ofLibrary = [
    '/',
    '/approvals',
    '/references',
    '/references/new',
    '/references/map',
    '/jobs',
    '/settings',
    '/doctor',
  ];
  expect(
    Object.keys(seen)
      .filter((at) => seen[at] === 200)
      .sort(),
  ).toEqual(ofLibrary.toSorted());
  expect(Object.values(seen).filter((status) => ![200, 400, 404].includes(status))).toEqual([]);
  for (const [at, text] of [
    ['/references/topic?id=topic-manual', 'one.md'],
    ['/search?q=how+is+coffee+ground', 'one.md:1'],
    [`/approvals/show?id=${id}`, '/etc/hosts'],
  ] as const)
    expect((await page.get(at)).body).toContain(text);
  expect(page.bugs).toEqual([]);
});
