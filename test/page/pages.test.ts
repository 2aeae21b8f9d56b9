import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { leavePending } from '../approvals/pending.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { scaled } from '../scale.ts';
import { browserProblem, openBrowser, openTab, violations } from './browser.ts';
import { HOSTILE } from './hostile.ts';
import { type PageHere, pageHere } from './page-here.ts';

const missing = browserProblem();

const CITED = '/cite?uri=ken://kb/project/deploy%23L3';
const HOSTILE_SUBJECT = 'topic=project&slug=hostile';

/** Every page of the menu, and the pages that they lead to. */
const PATHS: readonly string[] = [
  ...['/', '/search', '/search?q=deploy', '/search?q=deploy&part=ledger', CITED],
  ...['/approvals', '/approvals?all=1', '/approvals/show?id=3f2a9c41d07e', '/approvals/edit?id=3f2a9c41d07e'],
  ...[
    '/approvals/trust',
    '/kb',
    '/kb/prompt',
    `/kb/subject?${HOSTILE_SUBJECT}`,
    `/kb/edit?${HOSTILE_SUBJECT}`,
  ],
  ...['/references', '/references/new', '/references/map', '/references/topic?id=topic-hostile'],
  ...[
    '/ledger?status=all',
    '/ledger?ago=3',
    '/ledger/entry?id=ports',
    '/ledger/new',
    '/ledger/new?edit=ports',
  ],
  ...['/ledger/new?replace=ports', '/ledger/promote?id=ports'],
  ...['/conversations', '/conversations?label=x', '/conversations/show?id=@last'],
  ...['/tools', '/tools/show?name=search', '/tools/show?name=cut', '/jobs?all=1', '/settings?all=1'],
  ...['/settings/change?key=assistant.name&value=x', '/doctor', '/nothing'],
];

const isLong = scaled(1) > 1;

/** Every combination in the long form. */
const VIEWS = [
  { width: 1280, isDark: false },
  ...(isLong ? [360, 1600].flatMap((width) => [false, true].map((isDark) => ({ width, isDark }))) : []),
];

describe.skipIf(missing)(`the page in a browser${missing ? ` (${missing})` : ''}`, () => {
  it.each(VIEWS)(
    'has no violation that axe knows, is no wider than the window, runs nothing of what it shows, and asks no other host: $width, dark $isDark',
    async (view) => {
      const page = await pageHere(await garden());
      const browser = await openBrowser(view);
      const tab = await openTab(browser, page);
      const found: Record<string, string[]> = {};
      const ran: unknown[] = [];
      for (const at of PATHS) {
        const shown = await tab.goto(`http://${page.host}${at}`);
        found[at] = await violations(tab);
        if (shown?.status() !== (at === '/nothing' ? 404 : 200)) found[at]?.push(`status ${shown?.status()}`);
        if (await tab.evaluate('document.documentElement.scrollWidth > innerWidth + 1'))
          found[at]?.push('wider than the window');
        ran.push(await tab.evaluate('window.ran'));
      }
      expect(found).toEqual(Object.fromEntries(PATHS.map((path) => [path, []])));
      expect(ran).toEqual(PATHS.map(() => undefined));
      expect(foreign(browser.asked, page)).toEqual([]);
      expect(browser.problems.filter((text) => !text.includes('404'))).toEqual([]);
      const { events, unreadable } = JSON.parse((await page.get('/conversations/show.json?id=@last')).body);
      expect([events.length > 8, unreadable]).toEqual([true, []]);
    },
    180_000,
  );

  it('searches while one types, and opens a hit with the keyboard', async () => {
    const page = await pageHere(library());
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
    const page = await pageHere(library());
    const tab = await openTab(await openBrowser({ hasScripts: false }), page);
    await tab.locator('#question').fill('release train');
    await tab.getByRole('button', { name: 'Search' }).click();
    await tab.getByRole('link', { name: 'Release train' }).first().click();
    expect(await tab.locator('.cited').first().textContent()).toContain('train');
  });
});

function foreign(asked: readonly string[], { host }: PageHere): string[] {
  return asked.filter((address) => !address.startsWith(`http://${host}/`));
}

/** A workspace with one subject. */
function library() {
  const place = sandboxHere('[kb.topic.project]\nsubjects = "docs"\n');
  place.write('docs/deploy.md', DEPLOY);
  return place;
}

/** A workspace with a little of everything, all of it hostile. */
async function garden() {
  const place = sandboxHere(
    `[kb.topic.project]\nsubjects = "docs"\ntitle = "<script>window.ran = 9</script>"\nintroduction = ${JSON.stringify(HOSTILE)}\n`,
  );
  const cut = { description: HOSTILE, run: 'ask', command: { program: 'true', args: [HOSTILE] } };
  writeOwnConfig(place.home, stringify({ conversation: { tools: { cut } } }));
  const done = async (words: readonly string[]) => {
    const { code, stderr } = await place.ken(words);
    expect([words.slice(0, 2), code, stderr]).toEqual([words.slice(0, 2), 0, expect.any(String)]);
  };
  place.write('docs/deploy.md', DEPLOY);
  place.write('docs/hostile.md', `# <img src=x onerror="window.ran=10">\n\n${HOSTILE}\n`);
  place.write('docs/<img src=x onerror=window.ran=11>.md', HOSTILE);
  const title = HOSTILE.replaceAll('\n', ' ').slice(0, 180);
  const entry = ['k', 'add', '--provenance', 'file:docs/deploy.md#L3', '--merge-key', 'ports'];
  await done([
    ...entry,
    '--id',
    'ports',
    '--title',
    title,
    '--text',
    HOSTILE,
    '--tag',
    '<b onclick=alert(1)>',
    '--tag',
    'y'.repeat(60),
  ]);
  await done([...entry, '--title', 'Ports', '--text', `${HOSTILE} deploy`]);
  await done(['k', 'add', '--title', title, '--text', HOSTILE, '--provenance', 'file:docs/deploy.md#L3']);
  place.write('manual/<svg onload=window.ran=12>.md', HOSTILE);
  await done(['ref', 'import', 'manual', '--title', 'Hostile', '--tag', '<i>tag</i>', '--body', HOSTILE]);
  // The offline model answers with what it has read.
  const label = 'x=<img/src=x/onerror=window.ran=13>';
  const long = `long=${'z'.repeat(90)}`;
  await done(['q', `${HOSTILE} deploy`, '--title', title, '--label', label, '--label', long]);
  await writeHostileLog(place);
  await leavePending(place, { type: 'tool_run', tool: HOSTILE, arguments: { text: HOSTILE } });
  return place;
}

/** A conversation whose log was written by somebody else: names of models, tools and files, receipts and remarks. */
async function writeHostileLog(place: Sandbox): Promise<void> {
  const [{ id }] = JSON.parse((await place.ken(['c', 'ls', '--json'])).stdout).conversations;
  const directory = (await place.ken(['c', 'path', id])).stdout.trim();
  const at = '2026-11-19T12:00:00.000Z';
  const outcome = { type: 'error', message: HOSTILE, trace: [HOSTILE], transient: false };
  const events = [
    { type: 'turn_start', at, turn: 2 },
    { type: 'user_message', at, text: HOSTILE, attachments: [{ source: HOSTILE, text: HOSTILE }] },
    { type: 'tool_call', at, id: 'c1', name: HOSTILE, arguments: { [HOSTILE]: HOSTILE } },
    { type: 'tool_result', at, id: 'c1', name: HOSTILE, outcome },
    { type: 'assistant_message', at, text: HOSTILE, model: HOSTILE, finish: 'stop' },
    { type: 'remark', at, kind: 'warning', text: HOSTILE },
  ];
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  appendFileSync(path.join(directory, 'events.jsonl'), lines.join(''));
}

const DEPLOY =
  '# Deploy\n\nWe deploy with `make deploy`.\n\n## Release train\n\nThe train leaves on Tuesdays.\n';
