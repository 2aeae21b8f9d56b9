import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { leavePending } from '../approvals/pending.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { scaled } from '../scale.ts';
import { browserProblem, openBrowser, openTab } from './browser.ts';
import { type PageHere, pageHere } from './page-here.ts';

const missing = browserProblem();

/** The hands of one way to use the page. */
interface Hands {
  readonly tab: Page;
  go(path: string): Promise<void>;
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
}

type Way = 'mouse' | 'keyboard' | 'mouse without scripts';

const WAYS: readonly Way[] = scaled(1) > 1 ? ['mouse', 'keyboard', 'mouse without scripts'] : ['keyboard'];

const MOST_TABS = 150;

/** Moves the focus as a person does who has no mouse; a target that cannot be reached so is a failure. */
async function reach(tab: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isThere = () => target.evaluate((element) => element.matches(':focus'));
  // From the start of a page, one skips what all pages have.
  if (await tab.evaluate('document.activeElement === document.body')) {
    await tab.keyboard.press('Tab');
    await tab.keyboard.press('Enter');
  }
  for (let at = 0; at < MOST_TABS && !(await isThere()); at++) await tab.keyboard.press('Tab');
  if (!(await isThere())) throw new Error(`${target} cannot be reached with the keyboard.`);
}

function handsOf(way: Way, tab: Page, page: PageHere): Hands {
  return {
    tab,
    async go(path) {
      await tab.goto(`http://${page.host}${path}`);
    },
    async press(target) {
      if (way !== 'keyboard') return target.click();
      await reach(tab, target);
      await tab.keyboard.press('Enter');
    },
    async type(target, text) {
      if (way !== 'keyboard') return target.fill(text);
      await reach(tab, target);
      await tab.keyboard.press('ControlOrMeta+a');
      await tab.keyboard.insertText(text);
    },
  };
}

const button = (tab: Page, name: string) => tab.getByRole('main').getByRole('button', { name, exact: true });
const link = (tab: Page, name: string) => tab.getByRole('main').getByRole('link', { name }).first();
const main = (tab: Page) => tab.getByRole('main');

const TASKS: Readonly<Record<string, (hands: Hands) => Promise<void>>> = {
  async 'home: search'({ tab, go, type, press }) {
    await go('/');
    await type(tab.locator('#question'), 'release train');
    await press(button(tab, 'Search'));
    await main(tab).getByText('The train leaves on Tuesdays.').first().waitFor();
  },
  async 'search: narrow and open'({ tab, go, press }) {
    await go('/search?q=train');
    await press(tab.getByRole('complementary').getByRole('link', { name: /^ledger/ }));
    await tab.waitForURL(/part=ledger/);
    await press(link(tab, 'Trains'));
    await main(tab).getByText('Trains leave on time.').first().waitFor();
  },
  async 'citation: follow it to its subject'({ tab, go, press }) {
    await go('/cite?uri=ken://kb/project/deploy%23L5');
    expect(await tab.locator('.cited').count()).toBe(1);
    await press(link(tab, 'project/deploy'));
    await tab.getByRole('heading', { name: 'deploy', exact: true }).waitFor();
  },
  async 'knowledge base: write, remove, undo'({ tab, go, type, press }) {
    await go('/kb/edit?topic=project');
    await type(tab.getByLabel('Name'), 'rollback');
    const editor = tab.locator('.cm-content');
    const field = (await editor.count()) > 0 ? editor : tab.locator('#text');
    await field.click();
    await tab.keyboard.insertText('# Rollback\n\nRun it backwards.\n');
    await button(tab, 'Save').click();
    await main(tab).getByText('Run it backwards.').first().waitFor();
    await press(button(tab, 'Remove'));
    await press(button(tab, 'Undo'));
    await main(tab).getByText('Run it backwards.').first().waitFor();
  },
  async 'references: mark a topic obsolete, and undo it'({ tab, go, press }) {
    await go('/references');
    await press(link(tab, 'Manual'));
    await press(button(tab, 'Mark obsolete'));
    await main(tab).getByText('The topic is obsolete.').waitFor();
    await press(button(tab, 'Undo the last change'));
    await main(tab).getByText('The last change is undone.').waitFor();
  },
  async 'ledger: keep a fact and verify it'({ tab, go, type, press }) {
    await go('/ledger');
    await press(link(tab, 'New entry'));
    await type(tab.getByLabel('Title'), 'Ports');
    await type(tab.getByLabel('Text', { exact: true }), 'Staging listens on 8443.');
    await type(tab.getByLabel('Sources, one a line'), 'file:docs/deploy.md#L3');
    await press(button(tab, 'Save'));
    await main(tab).getByText('Kept.').waitFor();
    await press(button(tab, 'Verify now'));
    await main(tab).getByText('file:docs/deploy.md#L3: ok').waitFor();
  },
  async 'conversations: ask and label'({ tab, go, type, press }) {
    await go('/conversations');
    await type(tab.locator('textarea'), 'When does the release train leave?');
    await press(button(tab, 'Ask'));
    await press(link(tab, 'Open the conversation'));
    await type(tab.getByLabel('Add'), 'team=a');
    await press(button(tab, 'Add'));
    await main(tab).getByText('The labels are changed.').waitFor();
  },
  async 'approvals: deny with a reason'({ tab, go, type, press }) {
    await go('/approvals');
    await press(link(tab, 'Use a path outside the workspace?'));
    await type(tab.getByLabel('Why, for the one that asked'), 'not this one');
    await press(button(tab, 'Deny'));
    await main(tab).getByText('Denied.').waitFor();
  },
  async 'tools: try one'({ tab, go, type, press }) {
    await go('/tools');
    await press(tab.getByRole('main').getByRole('link', { name: 'learn', exact: true }));
    await type(tab.locator('[name="arg.topic"]'), 'project');
    await press(button(tab, 'Run'));
    await tab.getByRole('heading', { name: /^Result/ }).waitFor();
  },
  async 'jobs: look at all'({ tab, go, press }) {
    await go('/jobs');
    await press(link(tab, 'All'));
    await tab.waitForURL(/all=1/);
  },
  async 'settings: change a key'({ tab, go, type, press }) {
    await go('/settings?all=1');
    await press(link(tab, 'assistant.name'));
    await type(tab.getByLabel('New value'), 'fern');
    await press(button(tab, 'Show the change'));
    await press(button(tab, 'Write it'));
    await main(tab).getByText('is in .ken/config.toml.').waitFor();
  },
  async 'doctor: look at everything'({ tab, go, press }) {
    await go('/doctor');
    await press(button(tab, 'Look at everything'));
    await main(tab).locator('.notice').waitFor();
  },
};

async function garden(): Promise<PageHere> {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  place.write('docs/deploy.md', '# Deploy\n\nRun `make`.\n\nThe train leaves on Tuesdays.\n');
  place.write('manual/one.md', '# One\n\nA manual.\n');
  await place.ken([
    'k',
    'add',
    '--title',
    'Trains',
    '--text',
    'Trains leave on time.',
    '--provenance',
    'person:ada',
  ]);
  await place.ken(['ref', 'import', 'manual', '--title', 'Manual']);
  await leavePending(place, { type: 'workspace_escape', path: '/etc/hosts' });
  return pageHere(place);
}

describe.skipIf(missing)(`the main task of each page${missing ? ` (${missing})` : ''}`, () => {
  it.each(WAYS)(
    'is done with %s',
    async (way) => {
      const page = await garden();
      const tab = await openTab(await openBrowser({ hasScripts: way !== 'mouse without scripts' }), page);
      tab.setDefaultTimeout(15_000);
      const hands = handsOf(way, tab, page);
      const failed: Record<string, string> = {};
      for (const [name, task] of Object.entries(TASKS))
        await task(hands).catch((error: Error) => {
          failed[name] = error.message;
        });
      expect(failed).toEqual({});
      expect(page.bugs).toEqual([]);
    },
    240_000,
  );
});

describe.skipIf(missing)(`many tabs${missing ? ` (${missing})` : ''}`, () => {
  it('share one stream: twelve of them hear what happens, and another page loads', async () => {
    const page = await garden();
    const browser = await openBrowser();
    const tabs = [await openTab(browser, page)];
    while (tabs.length < 12) {
      const tab = await browser.context.newPage();
      await tab.goto(`http://${page.host}/approvals`);
      tabs.push(tab);
    }
    await leavePending(
      page.sandbox,
      { type: 'workspace_escape', path: '/etc/passwd' },
      { id: 'bbbb00000001' },
    );
    for (const tab of tabs) await expect.poll(() => tab.title(), { timeout: 15_000 }).toMatch(/^\(2\) /);
    const last = await browser.context.newPage();
    await last.goto(`http://${page.host}/ledger`);
    expect(await last.title()).toContain('Ledger');
  }, 60_000);

  it('that decide at once: one wins, and the other is told', async () => {
    const page = await garden();
    const browser = await openBrowser();
    const [one, other] = [await openTab(browser, page), await browser.context.newPage()];
    for (const tab of [one, other]) await tab.goto(`http://${page.host}/approvals/show?id=3f2a9c41d07e`);
    await button(one, 'Approve').click();
    await main(one).getByText('Approved.').waitFor();
    await button(other, 'Approve').click();
    await main(other).getByText('was given already').waitFor();
  }, 60_000);
});
