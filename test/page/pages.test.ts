import { describe, expect, it } from 'vitest';
import { leavePending } from '../approvals/pending.ts';
import { sandbox } from '../cli/ken.ts';
import { browserProblem, openBrowser, openTab, violations } from './browser.ts';
import { type ServedPage, servePage } from './serve-page.ts';

const missing = browserProblem();

/** Every page of the menu, and the pages that they lead to. */
const PATHS: readonly { readonly paths: readonly string[] }[] = [
  {
    paths: [
      ...[
        '/',
        '/search',
        '/search?q=deploy',
        '/cite?uri=ken://kb/project/deploy%23L3',
        '/approvals',
        '/approvals?all=1',
      ],
      ...[
        '/approvals/show?id=3f2a9c41d07e',
        '/approvals/trust',
        '/kb',
        '/kb/edit?topic=project&slug=hostile',
        '/kb/prompt',
        '/kb/subject?topic=project&slug=hostile',
      ],
    ],
  },
  {
    paths: [
      ...[
        '/references',
        '/references/new',
        '/references/map',
        '/ledger?status=all',
        '/ledger/entry?id=ports',
        '/conversations',
        '/conversations/show?id=@last',
      ],
      ...['/tools', '/jobs?all=1', '/settings?all=1', '/doctor', '/nothing'],
    ],
  },
];

describe.skipIf(missing)(`the page in a browser${missing ? ` (${missing})` : ''}`, () => {
  it.each(PATHS)(
    'has no violation that axe knows, runs nothing of what it shows, and asks no other host: $paths',
    async ({ paths }) => {
      const page = await servePage(await garden());
      const browser = await openBrowser();
      const tab = await openTab(browser, page);
      const found: Record<string, string[]> = {};
      const ran: unknown[] = [];
      for (const path of paths) {
        await tab.goto(`http://${page.host}${path}`);
        found[path] = await violations(tab);
        ran.push(await tab.evaluate('window.ran'));
      }
      expect(found).toEqual(Object.fromEntries(paths.map((path) => [path, []])));
      expect(ran).toEqual(paths.map(() => undefined));
      expect(foreign(browser.asked, page)).toEqual([]);
      expect(browser.problems.filter((text) => !text.includes('404'))).toEqual([]);
    },
  );

  it('searches while one types, and opens a hit with the keyboard', async () => {
    const page = await servePage(await garden());
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
    const page = await servePage(await garden());
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

/** Text that tries to run when a page shows it. */
const HOSTILE = [
  '<script>window.ran = 1</script>',
  '<img src="http://evil.example/a.png" onerror="window.ran = 2">',
  '<svg onload="window.ran = 3"></svg>',
  '"><a href="javascript:window.ran=4" autofocus onfocus="window.ran=5">x</a>',
  '[x](javascript:window.ran=6) [y](data:text/html,<script>window.ran=7</script>) ![z](http://evil.example/b.png)',
  '</title></textarea></pre></style><iframe src="http://evil.example/"></iframe>',
  '&lt;script&gt;window.ran = 8&lt;/script&gt;',
].join('\n\n');

/** A workspace with a little of everything, some of it hostile. */
async function garden() {
  const place = sandbox('[kb.topic.project]\nsubjects = "docs"\ntitle = "<script>window.ran = 9</script>"\n');
  place.write('docs/deploy.md', DEPLOY);
  place.write('docs/hostile.md', `# <img src=x onerror="window.ran=10">\n\n${HOSTILE}\n`);
  place.write('docs/<img src=x onerror=window.ran=11>.md', HOSTILE);
  const title = HOSTILE.replaceAll('\n', ' ').slice(0, 180);
  const entry = ['k', 'add', '--provenance', 'file:docs/deploy.md#L3', '--merge-key', 'ports'];
  await place.ken([...entry, '--id', 'ports', '--title', title, '--text', HOSTILE]);
  await place.ken([...entry, '--title', 'Ports', '--text', `${HOSTILE} deploy`]);
  await place.ken(['q', `${HOSTILE} deploy`]);
  await leavePending(place, { type: 'tool_run', tool: HOSTILE, arguments: { text: HOSTILE } });
  return place;
}

const DEPLOY =
  '# Deploy\n\nWe deploy with `make deploy`.\n\n## Release train\n\nThe train leaves on Tuesdays.\n';
