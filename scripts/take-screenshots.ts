// Takes the pictures of docs/web.md: `node scripts/take-screenshots.ts [--all] [DIRECTORY]` starts the page of a copy of
// the example workspace and looks at it with a browser. `--all` takes every page, wide and narrow, light and dark.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const root = path.join(import.meta.dirname, '..');
const launcher = path.join(root, 'bin/ken.cjs');

const SHOTS: readonly (readonly [name: string, path: string])[] = [
  ['home', '/'],
  ['search', '/search?q=how+do+we+deploy'],
  ['cite', '/cite?uri=ken%3A%2F%2Fkb%2Fproject%2Foperations%2Fdeploy%23L3-L7'],
  ['approvals', '/approvals'],
  ['kb', '/kb'],
  ['subject', '/kb/subject?topic=project&slug=operations%2Fdeploy'],
  ['references', '/references'],
  ['ledger', '/ledger'],
  ['entry', '/ledger/entry?id=ports'],
  ['conversations', '/conversations'],
  ['conversation', '/conversations/show?id=%40last'],
  ['tools', '/tools'],
  ['jobs', '/jobs?all=1'],
  ['settings', '/settings?all=1'],
  ['doctor', '/doctor'],
];
const IN_DOCS = ['home', 'search', 'entry'];

const VIEWS = [
  { suffix: '', width: 1280, colorScheme: 'light' },
  { suffix: '-wide-dark', width: 1600, colorScheme: 'dark' },
  { suffix: '-narrow', width: 360, colorScheme: 'light' },
  { suffix: '-narrow-dark', width: 360, colorScheme: 'dark' },
] as const;

/** Commands that give the pages something to show; the last one waits for an approval. */
const BEFORE: readonly (readonly string[])[] = [
  [
    ...[
      'k',
      'add',
      '--id',
      'ports',
      '--title',
      'Staging listens on 8080',
      '--text',
      'Staging listens on port 8080.',
    ],
    ...['--provenance', 'file:README.md#L1', '--merge-key', 'ports', '--tag', 'network'],
  ],
  [
    ...[
      'k',
      'add',
      '--title',
      'Staging listens on 8443',
      '--text',
      'Staging listens on port **8443**, with TLS.',
    ],
    ...['--provenance', 'file:README.md#L1', '--merge-key', 'ports', '--tag', 'network'],
  ],
  [
    'k',
    'add',
    '--title',
    'The changelog is written by hand',
    '--text',
    'One line for each change.',
    '--provenance',
    'file:README.md#L3',
  ],
  ['k', 'verify'],
  ['q', 'How do we deploy?'],
  ['ref', 'create', '--title', 'Hono', '--git', 'https://github.com/honojs/hono', '--path', 'docs/'],
];

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' } }, allowPositionals: true });
const outdir = positionals[0] ?? path.join(root, 'docs/pictures');
const base = mkdtempSync(path.join(tmpdir(), 'ken-pictures-'));
const workspace = path.join(base, 'garden');
const environment = {
  PATH: process.env.PATH ?? '',
  HOME: base,
  KEN_HOME: path.join(base, 'home'),
  LANG: 'C.UTF-8',
};

try {
  cpSync(path.join(root, 'examples/workspace'), workspace, { recursive: true });
  mkdirSync(path.join(base, 'home'));
  mkdirSync(outdir, { recursive: true });
  for (const words of BEFORE)
    spawnSync(process.execPath, [launcher, ...words], { cwd: workspace, env: environment });
  await takePictures();
} finally {
  rmSync(base, { recursive: true, force: true });
}

async function takePictures(): Promise<void> {
  // Without a terminal the page is read only.
  const page = spawn(process.execPath, [launcher, 'web', '--no-open'], {
    cwd: workspace,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [login] = (await once(createInterface({ input: page.stdout }), 'line')) as [string];
  const context = await chromium.launchPersistentContext(path.join(base, 'profile'), {
    executablePath: '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
    ],
  });
  const tab = await context.newPage();
  const { origin } = new URL(login);
  await tab.goto(login);
  await tab.waitForURL(`${origin}/`);
  for (const { suffix, width, colorScheme } of values.all ? VIEWS : VIEWS.slice(0, 1)) {
    await tab.setViewportSize({ width, height: 820 });
    await tab.emulateMedia({ colorScheme });
    for (const [name, at] of values.all ? SHOTS : SHOTS.filter(([shot]) => IN_DOCS.includes(shot))) {
      await tab.goto(`${origin}${at}`);
      await tab.screenshot({ path: path.join(outdir, `${name}${suffix}.png`) });
    }
  }
  await context.close();
  page.kill('SIGINT');
}
