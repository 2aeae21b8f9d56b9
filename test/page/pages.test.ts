import { describe, expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { browserProblem, openBrowser, openTab, violations } from './browser.ts';
import { type ServedPage, servePage } from './serve-page.ts';

const missing = browserProblem();

const PATHS = [
  '/',
  '/search',
  '/search?q=deploy',
  '/cite?uri=ken://kb/project/deploy%23L3',
  '/approvals',
  '/nothing',
];

describe.skipIf(missing)(`the page in a browser${missing ? ` (${missing})` : ''}`, () => {
  it('has no violation that axe knows, asks no other host, and runs without an error', async () => {
    const page = await servePage(garden());
    const browser = await openBrowser();
    const tab = await openTab(browser, page);
    const found: Record<string, string[]> = {};
    for (const path of PATHS) {
      await tab.goto(`http://${page.host}${path}`);
      found[path] = await violations(tab);
    }
    expect(found).toEqual(Object.fromEntries(PATHS.map((path) => [path, []])));
    expect(foreign(browser.asked, page)).toEqual([]);
    expect(browser.problems.filter((text) => !text.includes('404'))).toEqual([]);
  });

  it('searches while one types, and opens a hit with the keyboard', async () => {
    const page = await servePage(garden());
    const tab = await openTab(await openBrowser(), page);
    await tab.goto(`http://${page.host}/approvals`);
    await tab.keyboard.press('/');
    await tab.keyboard.type('how do we deploy');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/\/search\?q=how/);
    await tab.locator('#question').fill('release train');
    await tab.waitForURL(/q=release\+train/);
    await tab.getByText('The train leaves on Tuesdays.').waitFor();
    await tab.locator('#question').press('ArrowDown');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/\/cite\?/);
    expect(await tab.locator('.cited').first().textContent()).toContain('train');
  });

  it('works without scripts: links and forms', async () => {
    const page = await servePage(garden());
    const tab = await openTab(await openBrowser({ hasScripts: false }), page);
    await tab.locator('#question').fill('release train');
    await tab.getByRole('button', { name: 'Search' }).click();
    await tab.getByRole('link', { name: 'Release train' }).first().click();
    expect(await tab.locator('.cited').first().textContent()).toContain('train');
  });
});

function foreign(asked: readonly string[], { host }: ServedPage): string[] {
  return asked.filter((address) => !address.startsWith(`http://${host}/`));
}

/** A workspace with a little of everything. */
function garden() {
  const place = sandbox('[kb.topic.project]\nsubjects = "docs"\ntitle = "Project"\n');
  place.write(
    'docs/deploy.md',
    '# Deploy\n\nWe deploy with `make deploy`.\n\n## Release train\n\nThe train leaves on Tuesdays.\n',
  );
  return place;
}
