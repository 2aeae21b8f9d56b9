import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { App } from '../../src/app.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { scaled } from '../scale.ts';
import { browserProblem, openBrowser, openTab } from './browser.ts';
import { BundledFault, pageHere } from './page-here.ts';

const missing = browserProblem();

/** Subjects that no index has, and a reference topic whose index is gone. */
async function freshPlace(subjects: number) {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  for (let at = 0; at < subjects; at++)
    place.write(`docs/tea-${at}.md`, `# Tea ${at}\n\nTea number ${at} steeps for ${at} minutes.\n`);
  place.write('manual/coffee.md', '# Coffee\n\nCoffee is ground before it is brewed.\n');
  await place.ken(['ref', 'import', 'manual', '--title', 'Manual']);
  rmSync(path.join(place.home, 'data/references/index.db'), { force: true });
  return place;
}

/** Reading the library waits until it is let go. */
function gatedApp(until: () => Promise<unknown>) {
  return (app: App): App => ({
    ...app,
    referenceIndex: {
      sync: async (request, signal) => {
        request.onItems?.(1, 3);
        await until();
        return app.referenceIndex.sync(request, signal);
      },
      chunkCounts: () => app.referenceIndex.chunkCounts(),
      isCurrent: () => app.referenceIndex.isCurrent(),
      rankChunks: (question) => app.referenceIndex.rankChunks(question),
      rankTopics: (question) => app.referenceIndex.rankTopics(question),
      clear: () => app.referenceIndex.clear(),
    },
  });
}

const SEARCH = '/search?q=how+is+coffee+ground';
const READING = 'ken is reading 3 items into the index; 1 is done.';

describe.skipIf(missing)(`a page while something is indexed${missing ? ` (${missing})` : ''}`, () => {
  it('answers at once, says what is being read, and fills in by itself', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const page = await pageHere(await freshPlace(1), { change: gatedApp(() => promise) });
    const tab = await openTab(await openBrowser(), page);
    for (const at of ['/', '/cite?uri=ken://kb/project/tea-0', '/references/topic?id=topic-manual']) {
      await tab.goto(`http://${page.host}${at}`);
      await tab.getByText(READING).waitFor();
    }
    await tab.goto(`http://${page.host}${SEARCH}`);
    await tab.getByText(READING).waitFor();
    await tab.getByText(/Nothing (answers this|is found) yet\./).waitFor();
    // Without scripts, the link does it.
    const { body } = await page.get(SEARCH);
    expect(body).toContain('<a href="?q=how+is+coffee+ground">Load the page again</a>');
    expect(JSON.parse((await page.get(SEARCH.replace('?', '.json?'))).body).indexing).toMatchObject({
      done: 1,
      total: 3,
    });
    resolve();
    await tab.getByText('Coffee is ground before it is brewed.').first().waitFor();
    expect(await tab.getByText(READING).count()).toBe(0);
    expect((await page.get('/')).body).not.toContain('into the index');
    expect(page.bugs).toEqual([]);
  }, 60_000);

  it('shows the hits of a large workspace that was never indexed, without a reload', async () => {
    const count = scaled(1_500, 10_000);
    const page = await pageHere(await freshPlace(count));
    const tab = await openTab(await openBrowser(), page);
    await tab.goto(`http://${page.host}/search?q=how+long+does+tea+${count - 1}+steep`);
    await tab
      .getByText(`Tea number ${count - 1} steeps`)
      .first()
      .waitFor({ timeout: 60_000 });
    await expect.poll(() => tab.locator('[data-follows]').count()).toBe(0);
    expect(page.bugs).toEqual([]);
  }, 120_000);
});

it('shows the first hits, and all of them when asked to', async () => {
  const page = await pageHere(await freshPlace(30));
  const hits = async (more: string) => {
    const { body } = await page.get(`/search?q=tea+number+steeps+minutes${more}`);
    return { count: body.split('class="snippet"').length - 1, offer: body.includes('Show all of them') };
  };
  expect(await hits('')).toEqual({ count: 20, offer: true });
  expect(await hits('&more=1')).toEqual({ count: expect.any(Number), offer: false });
  expect((await hits('&more=1')).count).toBeGreaterThan(20);
});

it('says what could not be read into the index, and searches the rest', async () => {
  const full = async () => {
    throw new BundledFault('files/full', 'The disk is full.', { hint: 'Make room.' });
  };
  const page = await pageHere(await freshPlace(1), { change: gatedApp(full) });
  const { body } = await page.get('/search?q=how+long+does+tea+0+steep');
  expect(body).toContain('refs could not be searched: The disk is full.');
  expect(body).toContain('<mark>steeps</mark>');
  expect(page.bugs).toEqual([]);
});
