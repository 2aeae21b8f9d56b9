import { describe, expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { browserProblem, openBrowser, openTab } from './browser.ts';
import { servePage } from './serve-page.ts';

const missing = browserProblem();

describe.skipIf(missing)(`asking on the page${missing ? ` (${missing})` : ''}`, () => {
  it.each([{ hasScripts: true }, { hasScripts: false }])(
    'answers, and keeps the conversation (%o)',
    async (how) => {
      const place = sandbox('[kb.topic.project]\nsubjects = "docs"\n');
      place.write('docs/deploy.md', '# Deploy\n\nWe deploy with `make deploy`, on Tuesdays.\n');
      const page = await servePage(place);
      const tab = await openTab(await openBrowser(how), page);
      await tab.goto(`http://${page.host}/conversations`);
      await tab.locator('textarea').fill('How do we deploy?');
      await tab.getByRole('button', { name: 'Ask' }).click();
      await tab.getByRole('link', { name: 'Open the conversation' }).click();
      await tab.waitForURL(/\/conversations\/show/);
      expect(await tab.locator('main').textContent()).toContain('on Tuesdays');
      const { stdout } = await place.ken(['c', 'ls', '--json']);
      expect(JSON.parse(stdout).conversations).toMatchObject([{ title: 'How do we deploy?' }]);
    },
  );
});
