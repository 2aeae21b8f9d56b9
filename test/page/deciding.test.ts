import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { approvalsLock } from '../../src/adapters/lock/approvals-lock.ts';
import { leavePending } from '../approvals/pending.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { pageHere } from './page-here.ts';
import { formToken, ownForm, signIn } from './serve-page.ts';

const ESCAPE = { type: 'workspace_escape', path: '/etc/hosts' } as const;

describe('deciding on the page', () => {
  it('needs the passphrase while approvals are locked, in each browser', async () => {
    const place = sandboxHere('');
    const { id, digest } = await leavePending(place, ESCAPE);
    const home = temporaryDirectory();
    const lock = approvalsLock({
      account: () => ({ home, uid: process.getuid?.() ?? 0 }),
      systemDirectory: path.join(home, 'etc'),
      clock: { now: Date.now },
      cost: { n: 16, r: 1, p: 1 },
      askPassphrase: async () => 'open sesame',
      writeFile: async (file, content, mode) => writeFileSync(file, content, { mode }),
    });
    await lock.lock({ isReset: false });
    const page = await pageHere(place, { change: (app) => ({ ...app, lock }) });
    const approving = { id, digest, back: `/approvals/show?id=${id}` };
    expect((await page.send('/approvals/approve', approving)).body).toContain('Approvals are locked');
    const wrong = await page.send('/approvals/unlock', { passphrase: 'sesame', back: '/approvals' });
    expect(wrong.body).toContain('That is not the passphrase.');
    const opened = await page.send('/approvals/unlock', { passphrase: 'open sesame', back: '/approvals' });
    expect(opened.body).toContain('Approvals are unlocked in this browser.');

    const cookie = await signIn(page, page.login);
    const { body } = await page.ask({ path: '/approvals', headers: { cookie } });
    expect(body).toContain('<strong>Approvals are locked.</strong>');
    const fields = { ...approving, form_token: await formToken(page, cookie) };
    await page.ask({
      method: 'POST',
      path: '/approvals/approve',
      headers: { cookie, ...ownForm(page.host) },
      body: String(new URLSearchParams(fields)),
    });
    expect((await page.get(`/approvals/show?id=${id}`)).body).toContain('pending');

    expect((await page.send('/approvals/approve', approving)).body).toContain('Approved.');
    const after = await page.send('/approvals/lock', { back: '/approvals' });
    expect(after.body).toContain('<strong>Approvals are locked.</strong>');
  });

  it('shows what a workspace would let run, asks for trust, and revokes it', async () => {
    const place = sandboxHere('[providers.mcp.git]\ncommand = "git-mcp"\n');
    const page = await pageHere(place);
    const shown = await page.get('/approvals/trust');
    expect(shown.body).toContain('Not trusted: what is listed is left out.');
    expect(shown.body).toContain('<span class="added">+ .ken/config.toml: providers.mcp.git');
    const { body, at } = await page.send('/approvals/trust', {});
    expect(at).toMatch(/^\/approvals\/show\?id=/);
    const digest = /name="digest" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '';
    const id = new URL(at, 'http://x').searchParams.get('id') ?? '';
    await page.send('/approvals/approve', { id, digest, back: '/approvals' });
    await expect
      .poll(async () => JSON.parse((await page.get('/approvals/trust.json')).body))
      .toMatchObject({ state: 'trusted', trusted: { by: 'ada' } });
    expect((await page.get('/approvals')).body).toContain('Decided lately');
    expect((await page.send('/approvals/revoke', {})).body).toContain('The workspace is no longer trusted.');
    expect(page.bugs).toEqual([]);
  });
});

describe('requests on the page', () => {
  it('are denied with a reason, several at once', async () => {
    const place = sandboxHere('');
    const first = await leavePending(place, ESCAPE, { id: 'aaaa00000001' });
    const second = await leavePending(place, { ...ESCAPE, path: '/etc/passwd' }, { id: 'aaaa00000002' });
    const page = await pageHere(place);
    expect((await page.send('/approvals/deny', { back: '/approvals' })).body).toContain('Nothing is ticked.');
    // Requests of one kind are told from each other in the list.
    expect((await page.get('/approvals')).body).toMatch(/mono">\/etc\/passwd<.*mono">\/etc\/hosts</s);
    const fields = [
      ['id', first.id],
      ['id', second.id],
      ['note', 'only\nthe docs'],
    ];
    const denied = await page.sendAll('/approvals/deny', fields);
    expect(denied.body).toContain('2 requests are denied.');
    const { approvals } = JSON.parse((await page.get('/approvals.json?all=1')).body);
    expect(approvals).toMatchObject([
      { status: 'denied', decision: { by: 'ada', through: 'web', note: 'only the docs' } },
      { status: 'denied', decision: { note: 'only the docs' } },
    ]);
    const { stdout } = await place.ken(['approvals', 'show', first.id]);
    expect(stdout).toMatch(/because +only the docs/);
  });

  it('are edited before they are approved, and the edited one is a request of its own', async () => {
    const place = sandboxHere('');
    const call = { type: 'tool_run', tool: 'web_fetch', arguments: { url: 'https://a.example/' } } as const;
    const { id, digest } = await leavePending(place, call);
    const page = await pageHere(place);
    expect((await page.get(`/approvals/edit?id=${id}`)).body).toContain('https://a.example/');
    const edit = (text: string) => page.send('/approvals/edit', { id, digest, text, back: '/approvals' });
    expect((await edit('[1]')).body).toContain('The arguments must be a JSON object.');
    expect((await edit('{"url": "https://a.example/"}')).body).toContain('Nothing is changed.');
    const { body, at } = await edit('{"url": "https://b.example/"}');
    expect(at).not.toContain(id);
    expect(body).toContain('https://b.example/');
    expect(body).not.toContain('https://a.example/');
    const before = JSON.parse((await page.get(`/approvals/show.json?id=${id}`)).body);
    expect(before.approval.state).toMatchObject({
      status: 'denied',
      decision: { note: 'edited; call it with exactly these arguments: {"url":"https://b.example/"}' },
    });
    expect((await edit('{"url": "https://c.example/"}')).body).toContain('was denied');
    expect(page.bugs).toEqual([]);
  });
});

describe('reference topics on the page', () => {
  it('are looked at before the approval, edited, fetched, drawn on the map and deleted', async () => {
    const place = sandboxHere('');
    const git = 'git -c user.name=a -c user.email=a@b.c -c init.defaultBranch=main';
    place.write('source/docs/tea.md', '# Tea\n\nBrew it for four minutes.\n');
    place.write('source/more.md', '# More\n');
    await place.shell(`cd source && ${git} init -q && git add . && ${git} commit -qm one`);
    const page = await pageHere(place);
    const fields = {
      title: 'Tea',
      git: path.join(place.root, 'source'),
      paths: 'docs/\nmore.md',
      web: '',
      days: '30',
    };
    const first = await page.send('/references/create', { ...fields, back: '/references/new' });
    expect(first.body).toContain('Create reference topic &#39;Tea&#39;?');
    expect(first.body).toContain('2 files');
    const old = new URL(first.at, 'http://x').searchParams.get('id') ?? '';
    expect((await page.get(`/references/new?approval=${old}`)).body).toContain('value="Tea"');
    const edited = { ...fields, paths: 'docs/', approval: old };
    const { body, at } = await page.send('/references/create', edited);
    expect(body).toContain('1 file');
    expect((await page.get(`/approvals/show?id=${old}`)).body).toContain('This request is denied');
    const digest = /name="digest" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '';
    const id = new URL(at, 'http://x').searchParams.get('id') ?? '';
    await page.send('/approvals/approve', { id, digest, back: at });
    await expect.poll(async () => (await page.get('/references/map')).body).toContain('class="age-0"');
    expect((await page.get('/')).body).toContain('Ages of references');
    place.write('source/docs/tea.md', '# Tea\n\nBrew it for five minutes.\n');
    await place.shell(`cd source && ${git} commit -qam two`);
    const looked = await page.send('/references/preview', { id: 'topic-tea', back: '/references' });
    expect(looked.body).toContain('What a refresh would change');
    expect(looked.body).toContain('docs/tea.md');
    const refreshed = await page.send('/references/refresh', { id: 'topic-tea', back: '/references' });
    expect(refreshed.body).toContain('- Brew it for four minutes.');
    expect(refreshed.body).toContain('+ Brew it for five minutes.');
    const gone = await page.send('/references/delete', { id: 'topic-tea', back: '/references' });
    expect(gone.body).toContain('The library is empty.');
    const removed = /name="removed" value="(\w+)"/.exec(gone.body)?.[1] ?? '';
    const again = await page.send('/references/bring-back', { removed, back: '/references' });
    expect(again.body).toContain('The topic is back.');
    expect((await page.get('/search?q=brew+five+minutes')).body).toContain('five');
    const late = await page.send('/references/bring-back', { removed, back: '/references' });
    expect(late.body).toContain('no longer held in memory');
    expect(page.bugs).toEqual([]);
  }, 60_000);
});

it('serves two hundred streams and pages beside them', async () => {
  const page = await pageHere();
  const leaving = new AbortController();
  const { port } = new URL(`http://${page.host}`);
  const { request } = await import('node:http');
  const open = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { host: page.host, cookie: page.cookie };
      const sent = request({ host: '127.0.0.1', port, path: '/events', headers, signal: leaving.signal });
      sent.on('error', reject);
      sent.on('response', (response) => {
        response.on('error', () => {});
        response.once('data', () => resolve(response.statusCode ?? 0));
      });
      sent.end();
    });
  const opened = await Promise.all(Array.from({ length: 200 }, open));
  expect(new Set(opened)).toEqual(new Set([200]));
  expect((await page.get('/')).status).toBe(200);
  leaving.abort();
});
