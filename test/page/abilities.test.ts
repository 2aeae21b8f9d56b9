import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { type Said, scriptedModel } from '../tools/model-script.ts';
import { browserProblem, openBrowser, openTab } from './browser.ts';
import { HOSTILE } from './hostile.ts';
import { pageHere } from './page-here.ts';
import { signIn } from './serve-page.ts';

const missing = browserProblem();

async function talking(...said: readonly Said[]) {
  const model = await scriptedModel(...said);
  const place = sandboxHere('');
  writeOwnConfig(place.home, model.config);
  return { model, page: await pageHere(place) };
}

/** Lets go of files over the question, or pastes them, as a browser does. */
async function give(tab: Page, how: 'drop' | 'paste', name: string, text: string): Promise<void> {
  const made =
    how === 'drop'
      ? "new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: files })"
      : "new ClipboardEvent('paste', { bubbles: true, clipboardData: files })";
  await tab.evaluate(`{
    const files = new DataTransfer();
    files.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}, { type: 'text/plain' }));
    document.querySelector('textarea[data-ask]').dispatchEvent(${made});
  }`);
}

describe.skipIf(missing)(`in a browser${missing ? ` (${missing})` : ''}`, () => {
  it('files are attached by dropping and pasting them, and hostile words of a model run nothing', async () => {
    const { model, page } = await talking(`It says:\n\n${HOSTILE}\n\nThat is all.`);
    const browser = await openBrowser();
    const tab = await openTab(browser, page);
    await tab.goto(`http://${page.host}/conversations`);
    await give(tab, 'drop', 'kettle.txt', 'Dropped: rinse it.');
    await give(tab, 'paste', 'pot.txt', 'Pasted: warm it.');
    await tab.locator('textarea[data-ask]').fill('What do the files say?');
    await tab.keyboard.press('Control+Enter');
    await tab.getByText('That is all.').waitFor();
    const sent = JSON.stringify(model.sent());
    for (const text of ['kettle.txt', 'Dropped: rinse it.', 'pot.txt', 'Pasted: warm it.'])
      expect(sent).toContain(text);
    await tab.getByRole('link', { name: 'Open the conversation' }).click();
    await tab.getByText('kettle.txt').first().waitFor();
    expect(await tab.evaluate('window.ran')).toBeUndefined();
    expect(await tab.locator('main :is(script, img, iframe, svg, [onclick], [onload])').count()).toBe(0);
    const links = await tab
      .locator('main a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(links.filter((to) => !/^(?:\/|https?:|ken:|mailto:|#|\?)/.test(to ?? ''))).toEqual([]);
    expect(browser.asked.filter((address) => !address.startsWith(`http://${page.host}/`))).toEqual([]);
    expect(browser.problems).toEqual([]);
    expect(page.bugs).toEqual([]);
  }, 60_000);

  it('keys are listed and lead to every page, and nothing moves where that is not wanted', async () => {
    const page = await pageHere();
    const tab = await openTab(await openBrowser({ hasReducedMotion: true }), page);
    await tab.goto(`http://${page.host}/jobs`);
    await tab.keyboard.press('?');
    await tab.getByRole('dialog', { name: 'Keys' }).waitFor();
    await tab.keyboard.press('Escape');
    expect(await tab.getByRole('dialog').count()).toBe(0);
    const titles = [];
    for (const key of 'hsakrlctjed') {
      await tab.keyboard.press('Escape');
      await tab.keyboard.press('g');
      await Promise.all([tab.waitForEvent('load'), tab.keyboard.press(key)]);
      titles.push((await tab.title()).replace(' · ken', ''));
    }
    expect(titles).toEqual([
      ...['Home', 'Search', 'Approvals', 'Knowledge base', 'References', 'Ledger', 'Conversations'],
      ...['Tools', 'Jobs', 'Settings', 'Doctor'],
    ]);
    const moving = await tab.evaluate(
      "[...document.querySelectorAll('*')].filter((each) => !/^0s(?:, 0s)*$/.test(getComputedStyle(each).transitionDuration)).length",
    );
    expect(moving).toBe(0);
    await tab.emulateMedia({ media: 'print' });
    expect(await tab.locator('.rail').isVisible()).toBe(false);
    expect(await tab.locator('main h1').isVisible()).toBe(true);
    expect(await tab.locator('main form').first().isVisible()).toBe(false);
    await tab.goto(`http://${page.host}/kb`);
    expect(await tab.locator('main .button').first().isVisible()).toBe(false);
  }, 60_000);

  it('a second server on this machine never gets the cookie of the page', async () => {
    const page = await pageHere();
    const heard: (string | undefined)[] = [];
    const other = createServer(({ headers }, response) => {
      heard.push(headers.cookie);
      response.setHeader('set-cookie', 'other=1').setHeader('content-type', 'text/html');
      response.end(`<title>Other</title><img src="http://${page.host}/favicon.svg">`);
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const tab = await openTab(await openBrowser(), page);
    for (const name of ['127.0.0.1', 'localhost', 'other.localhost', `other.${page.host.split(':')[0]}`])
      await tab.goto(`http://${name}:${port}/`);
    expect(heard.length).toBeGreaterThanOrEqual(4);
    expect(heard.filter((cookie) => cookie?.includes('ken='))).toEqual([]);
    await tab.goto(`http://${page.host}/jobs`);
    expect(await tab.title()).toContain('Jobs');
  });

  it('signing out ends every sign-in, and says how to come back', async () => {
    const page = await pageHere();
    const other = await openBrowser();
    const tab = await openTab(other, page);
    await tab.goto(`http://${page.host}/ledger`);
    await tab.getByRole('button', { name: 'Sign out everywhere' }).click();
    await tab.getByText('ken web --print-login').waitFor();
    expect((await page.get('/index.json')).status).toBe(401);
    expect((await page.ask({ path: '/events', headers: { cookie: page.cookie } })).status).toBe(401);
    // The cookie that is left is of no use, and neither is the login address.
    await expect(signIn(page, page.login)).rejects.toThrow();
  }, 60_000);
});

describe('streams of events', () => {
  it('end with the sign-in, and are begun by a GET alone', async () => {
    const page = await pageHere();
    const { port } = new URL(`http://${page.host}`);
    const headers = { host: page.host, cookie: page.cookie };
    const sent = request({ host: '127.0.0.1', port, path: '/events', headers }).end();
    const [response] = await once(sent, 'response');
    await once(response, 'data');
    for (let at = 0; at < 300; at++) {
      const { status } = await page.ask({
        method: 'HEAD',
        path: '/events',
        headers: { cookie: page.cookie },
      });
      expect(status).toBe(405);
    }
    const ended = once(response.resume(), 'end');
    await page.send('/sign-out', {});
    await ended;
  });
});

describe('the ledger on the page', () => {
  it('replaces an entry, shows what hangs together, and makes a rule through an approval', async () => {
    const place = sandboxHere('');
    place.write('docs/ports.md', '# Ports\n\nStaging listens on 8443.\n');
    const page = await pageHere(place);
    const fact = {
      ...{ kind: 'new', id: '', title: 'Staging port', text: 'It is 8080.', back: '/ledger/new' },
      ...{ provenance: 'file:docs/ports.md#L3', tags: '', key: 'staging', ttl: 'persistent' },
    };
    expect((await page.send('/ledger/add', fact)).body).toContain('Kept.');
    const [old] = JSON.parse((await page.get('/ledger.json')).body).entries;
    const form = (await page.get(`/ledger/new?replace=${old.id}`)).body;
    expect(form).toContain('value="staging" readonly');
    const newer = { ...fact, kind: 'replace', id: old.id, title: 'Port of staging', text: 'It is 8443.' };
    const replaced = await page.send('/ledger/add', newer);
    expect(replaced.body).toContain('Kept. It replaces');
    const id = new URL(replaced.at, 'http://x').searchParams.get('id') ?? '';
    expect(replaced.body).toContain('What hangs together');
    expect(replaced.body).toMatch(/<svg class="graph".*Staging port.*<\/svg>/s);

    const wish = { id, as: 'procedural/staging-port', reason: 'agreed', back: `/ledger/promote?id=${id}` };
    const refused = await page.send('/ledger/promote', { ...wish, evidence: '' });
    expect(refused.body).toContain('notice problem');
    const asked = await page.send('/ledger/promote', { ...wish, evidence: 'file:docs/ports.md#L3' });
    expect(asked.body).toContain('It is 8443.');
    expect((await place.ken(['k', 'rules'])).stdout).not.toContain('It is 8443.');
    const approval = new URL(asked.at, 'http://x').searchParams.get('id') ?? '';
    const digest = /name="digest" value="([0-9a-f]+)"/.exec(asked.body)?.[1] ?? '';
    const { at } = await page.send('/approvals/approve', { id: approval, digest, back: asked.at });
    await expect.poll(async () => (await page.get(at)).body).toContain('<h2>Done</h2>');
    expect((await page.get('/ledger?status=all')).body).toContain('Port of staging');
    expect((await place.ken(['k', 'show', 'procedural/staging-port'])).stdout).toContain('It is 8443.');
    expect(page.bugs).toEqual([]);
  });
});
