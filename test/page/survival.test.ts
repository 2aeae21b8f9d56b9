import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PAGES } from '../../src/entry/web/pages.ts';
import { leavePending } from '../approvals/pending.ts';
import { sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { LAUNCHER } from '../cli/launcher.ts';
import { CTRL_C, ptyProblem } from '../cli/pty.ts';
import { smallDiskProblem } from '../reliability/small-disk.ts';
import { scaled } from '../scale.ts';
import { browserProblem, openBrowser, openTab } from './browser.ts';
import { BundledFault, pageHere } from './page-here.ts';
import { formToken, ownForm, servePage, signIn } from './serve-page.ts';

const missing = browserProblem();

describe.skipIf(missing)(`the page survives${missing ? ` (${missing})` : ''}`, () => {
  it('that ken is killed: it says so, and another start has another page', async () => {
    const page = await servePage();
    const tab = await openTab(await openBrowser(), page);
    await tab.goto(`http://${page.host}/approvals`);
    const directory = path.join(page.sandbox.home, 'state/web');
    const [record = ''] = readdirSync(directory).filter((file) => file.endsWith('.json'));
    process.kill(JSON.parse(readFileSync(path.join(directory, record), 'utf8')).pid, 'SIGKILL');
    await page.pty.ended();
    await tab.getByText('ken no longer answers.').waitFor({ timeout: 20_000 });
    const again = await servePage(page.sandbox);
    expect(again.host).not.toBe(page.host);
    const other = await openTab(await openBrowser(), again);
    expect(await other.title()).toContain('Home');
  }, 60_000);
});

it('says what to do when the workspace was moved, and works again when it is back', async () => {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  place.write('docs/deploy.md', '# Deploy\n');
  const page = await pageHere(place);
  renameSync(place.root, `${place.root}-moved`);
  for (const at of ['/kb', '/ledger', '/conversations', '/', '/search?q=deploy', '/doctor']) {
    const { body, status } = await page.get(at);
    expect([at, status, body.includes('ken has a bug here')]).toEqual([at, expect.any(Number), false]);
  }
  const { body } = await page.get('/kb/subject?topic=project&slug=deploy');
  expect(body).toContain('<p class="lead">');
  const fields = { topic: 'project', name: 'x', slug: '', digest: '', text: 'x', back: '/kb' };
  expect((await page.send('/kb/save', fields)).body).toContain('notice problem');
  renameSync(`${place.root}-moved`, place.root);
  expect((await page.get('/kb/subject?topic=project&slug=deploy')).body).toContain('Deploy');
  expect(page.bugs).toEqual([]);
});

it('has a bug on no page when the workspace is deleted, and makes nothing in its place', async () => {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  place.write('docs/deploy.md', '# Deploy\n');
  await place.ken(['k', 'add', '--title', 'Tea', '--text', 'Four minutes.', '--provenance', 'person:ada']);
  const page = await pageHere(place);
  await page.get('/search?q=deploy');
  rmSync(place.root, { recursive: true });
  const asked = [
    '/search?q=tea',
    '/cite?uri=ken://kb/project/deploy',
    '/kb/subject?topic=project&slug=deploy',
  ];
  for (const at of [...PAGES.map(({ path: own }) => own), ...asked]) {
    const { body } = await page.get(at);
    expect([at, body.includes('ken has a bug here')]).toEqual([at, false]);
  }
  const sent = await page.send('/ledger/add', {
    title: 'x',
    text: 'x',
    provenance: 'person:ada',
    back: '/ledger',
  });
  expect(sent.body).toContain('The workspace is no longer at');
  expect(existsSync(place.root)).toBe(false);
  expect(page.bugs).toEqual([]);
});

it('waits for a database that is busy, and shows the other pages meanwhile', async () => {
  const { page, busy, approve } = await busyPage();
  const approving = approve();
  expect((await page.get('/ledger')).status).toBe(200);
  busy.exec('rollback');
  expect((await approving).body).toContain('Approved.');
  expect(page.bugs).toEqual([]);
});

it.skipIf(scaled(1) === 1)(
  'says that a database stays busy, and decides when it is free (in the long form)',
  async () => {
    const { page, busy, approve } = await busyPage();
    expect((await approve()).body).toContain('notice problem');
    busy.exec('rollback');
    expect((await approve()).body).toContain('Approved.');
    expect(page.bugs).toEqual([]);
  },
  120_000,
);

/** A page whose database of approvals another process is writing. */
async function busyPage() {
  const place = sandboxHere('');
  const { id, digest } = await leavePending(place, { type: 'workspace_escape', path: '/etc/hosts' });
  const page = await pageHere(place);
  const busy = new DatabaseSync(path.join(place.home, 'data/approvals.db'));
  onTestFinished(() => busy.close());
  busy.exec('begin immediate');
  const back = `/approvals/show?id=${id}`;
  return { page, busy, approve: () => page.send('/approvals/approve', { id, digest, back }) };
}

it('says that the disk is full, and keeps what was typed', async () => {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  place.write('docs/deploy.md', '# Deploy\n');
  const full = async () => {
    throw new BundledFault('files/full', 'The disk is full.', { hint: 'Make room, and save again.' });
  };
  const page = await pageHere(place, {
    change: (app) => ({
      ...app,
      newFiles: {
        makeDirectory: (...place) => app.newFiles.makeDirectory(...place),
        remove: (...place) => app.newFiles.remove(...place),
        create: full,
        createInParts: full,
        replace: full,
      },
    }),
  });
  const fields = { topic: 'project', name: 'tea', slug: '', digest: '', text: '# Four minutes', back: '/kb' };
  const { body } = await page.send('/kb/save', fields);
  expect(body).toContain('The disk is full.');
  expect(body).toContain('Make room, and save again.');
  expect(body).toContain('# Four minutes');
});

it.skipIf(smallDiskProblem() !== undefined || ptyProblem() !== undefined)(
  'says that a disk is really full, keeps what was typed, and saves once there is room',
  async () => {
    const place = sandbox('[kb.topic.project]\nsubjects = "docs"\n');
    place.write('docs/.keep', '');
    // The page alone sees the small disk.
    const small = `ken() { exec unshare -Urm sh -c 'mount -t tmpfs -o size=256k none docs && exec "$@"' sh "${process.execPath}" "${LAUNCHER}" "$@"; }`;
    const page = await servePage(place, '', `${small}\nken web`);
    const cookie = await signIn(page);
    const token = await formToken(page, cookie);
    const post = async (path: string, fields: Readonly<Record<string, string>>) => {
      const body = String(new URLSearchParams({ form_token: token, ...fields }));
      const headers = { cookie, ...ownForm(page.host) };
      const { location = '' } = (await page.ask({ method: 'POST', path, headers, body })).headers;
      return (await page.ask({ path: location, headers: { cookie } })).body;
    };
    const save = (name: string, text: string) =>
      post('/kb/save', { topic: 'project', name, slug: '', digest: '', text, back: '/kb' });
    expect(await save('ballast', `# Ballast\n\n${'x'.repeat(200_000)}\n`)).toContain('md is written.');
    const refused = await save('tea', `# Four minutes\n\n${'y'.repeat(100_000)}\n`);
    expect(refused).toContain('notice problem');
    expect(refused).toMatch(/disk|space|room/i);
    expect(refused).toContain('# Four minutes');
    const list = async () => (await page.ask({ path: '/kb.json', headers: { cookie } })).body;
    expect(await list()).not.toContain('"slug":"tea"');
    await post('/kb/remove', { name: 'project/ballast', back: '/kb' });
    expect(await save('tea', `# Four minutes\n\n${'y'.repeat(100_000)}\n`)).toContain('md is written.');
    expect(await list()).toContain('"slug":"tea"');
    page.pty.type(CTRL_C);
    await page.pty.ended();
  },
  60_000,
);

it('shows a file of a topic that is refreshed meanwhile, or says that it has gone', async () => {
  const place = sandboxHere('');
  place.write('manual/one.md', '# One\n\nA manual.\n');
  place.write('manual/two.md', '# Two\n\nAnother.\n');
  await place.ken(['ref', 'import', 'manual', '--title', 'Manual']);
  const page = await pageHere(place);
  const { files } = JSON.parse((await page.get('/references/topic.json?id=topic-manual')).body);
  const uri = files.find((each: { path: string }) => each.path === 'two.md').uri;
  writeFileSync(path.join(place.root, 'manual/two.md'), '# Two\n\nSomething else.\n');
  const refreshed = page.send('/references/refresh', { id: 'topic-manual', back: '/references' });
  const seen = await Promise.all(
    Array.from({ length: 20 }, () => page.get(`/cite?uri=${encodeURIComponent(uri)}`)),
  );
  expect((await refreshed).body).toContain('Refreshed.');
  const after = await page.get(`/cite?uri=${encodeURIComponent(uri)}`);
  expect(after.body).toContain('The content has changed since it was cited');
  for (const { status, body } of seen) expect([200, 404]).toContain(body.includes('Two') ? 200 : status);
  expect(page.bugs).toEqual([]);
});
