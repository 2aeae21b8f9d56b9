import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { served } from '../references/kettle.ts';
import { browserProblem, openBrowser, openTab } from './browser.ts';
import { pageHere } from './page-here.ts';

const missing = browserProblem();

/** A page of the web that answers once it is let go. */
async function slowPage() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    if (request.url === '/robots.txt') return response.writeHead(404).end();
    await promise;
    return response.writeHead(200, { 'content-type': 'text/plain' }).end('Rinse the kettle.\n');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    resolve();
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rinsing`, letGo: resolve };
}

describe.skipIf(missing)(`a reference topic${missing ? ` (${missing})` : ''}`, () => {
  it.each([{ hasScripts: true }, { hasScripts: false }])(
    'is surveyed, approved, followed and opened on one page ($hasScripts)',
    async (how) => {
      const place = await served();
      const web = await slowPage();
      const page = await pageHere(place);
      const tab = await openTab(await openBrowser(how), page);
      const main = tab.getByRole('main');
      await tab.goto(`http://${page.host}/references/new`);
      await tab.getByLabel('Title').fill('Kettle');
      await tab.getByLabel('Address', { exact: true }).fill(place.url);
      await tab.getByLabel('Addresses, one a line').fill(web.url);
      await main.getByRole('button', { name: 'Look at the sources' }).click();
      await main.getByText(/kettle \(5 files, .* \+ 1 web page/).waitFor();
      await main.getByRole('button', { name: 'Approve' }).click();
      await main.getByRole('heading', { name: 'The work is going on' }).waitFor();
      const address = tab.url();
      web.letGo();
      await main.getByRole('heading', { name: 'Done' }).waitFor();
      expect(tab.url()).toBe(address);
      expect(await main.getByText('topic-kettle:').textContent()).toMatch(/\d files, \d+ chunks/);
      await main.getByRole('link', { name: 'Open the topic' }).click();
      await main.getByRole('link', { name: 'lifecycle.md' }).first().waitFor();
      expect(page.bugs).toEqual([]);
    },
    60_000,
  );

  it('that cannot be fetched says why, on the page of its request', async () => {
    const place = sandboxHere('');
    const git = 'git -c user.name=a -c user.email=a@b.c -c init.defaultBranch=main';
    place.write('source/tea.md', '# Tea\n');
    await place.shell(`cd source && ${git} init -q && git add . && ${git} commit -qm one`);
    const page = await pageHere(place);
    const source = path.join(place.root, 'source');
    const fields = { title: 'Tea', git: source, paths: '', web: '', days: '30', back: '/references/new' };
    const { at, body } = await page.send('/references/create', fields);
    rmSync(source, { recursive: true });
    const id = new URL(at, 'http://x').searchParams.get('id') ?? '';
    const digest = /name="digest" value="([0-9a-f]+)"/.exec(body)?.[1] ?? '';
    await page.send('/approvals/approve', { id, digest, back: at });
    await expect.poll(async () => (await page.get(at)).body).toContain('<h2>It failed</h2>');
    const { work } = JSON.parse((await page.get(at.replace('?', '.json?'))).body);
    expect(work).toMatchObject({ status: 'failed', message: expect.stringContaining(source) });
  });
});
