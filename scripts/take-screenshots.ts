// Takes the pictures of docs/web.md: `npm run docs -- --screenshots`, or `node scripts/take-screenshots.ts [--all] [DIRECTORY]`.
// It serves the page of a copy of the example workspace, with its operator present, and looks at it with a browser.
// `--all` takes every page, wide and narrow, light and dark; also of a workspace that has nothing yet.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import type { App } from '../src/app.ts';

const root = path.join(import.meta.dirname, '..');
const launcher = path.join(root, 'bin/ken.cjs');
const require = createRequire(import.meta.url);

type Compose = typeof import('../src/compose.ts');
type ServeWeb = typeof import('../src/entry/web/serve-web.ts');
type RunningPage = typeof import('../src/entry/web/running-page.ts');
const { openApp }: Compose = require(path.join(root, 'dist/core.cjs'))('src/compose.ts');
const web = require(path.join(root, 'dist/web.cjs'));
const { serveWeb }: ServeWeb = web('src/entry/web/serve-web.ts');
const { pageFiles }: RunningPage = web('src/entry/web/running-page.ts');

const SHOTS: readonly (readonly [name: string, path: string])[] = [
  ['home', '/'],
  ['search', '/search?q=how+do+we+deploy'],
  ['cite', '/cite?uri=ken%3A%2F%2Fkb%2Fproject%2Foperations%2Fdeploy%23L3-L7'],
  ['approvals', '/approvals'],
  ['trust', '/approvals/trust'],
  ['history', '/approvals?all=1'],
  ['approval', '/approvals/show?id=APPROVAL'],
  ['kb', '/kb'],
  ['subject', '/kb/subject?topic=project&slug=operations%2Fdeploy'],
  ['edit', '/kb/edit?topic=project&slug=operations%2Fdeploy'],
  ['prompt', '/kb/prompt'],
  ['references', '/references'],
  ['topic', '/references/topic?id=topic-field-guide'],
  ['map', '/references/map'],
  ['new-topic', '/references/new'],
  ['ledger', '/ledger'],
  ['new-entry', '/ledger/new'],
  ['entry', '/ledger/entry?id=ports'],
  ['conversations', '/conversations'],
  ['conversation', '/conversations/show?id=%40last'],
  ['tools', '/tools'],
  ['tool', '/tools/show?name=learn'],
  ['jobs', '/jobs?all=1'],
  ['settings', '/settings?all=1'],
  ['change', '/settings/change?key=assistant.name&value=fern'],
  ['doctor', '/doctor'],
];
const IN_DOCS = ['home', 'search', 'entry', 'approval', 'conversations'];

const VIEWS = [
  { suffix: '', width: 1280, colorScheme: 'light' },
  { suffix: '-wide-dark', width: 1600, colorScheme: 'dark' },
  { suffix: '-narrow', width: 360, colorScheme: 'light' },
  { suffix: '-narrow-dark', width: 360, colorScheme: 'dark' },
] as const;

const ENTRY = ['k', 'add', '--tag', 'network', '--merge-key', 'ports', '--id', 'ports', '--title'];
const FACT = ['k', 'add', '--tag', 'release', '--title'];

/** Commands that give the pages something to show; the last one waits for an approval. */
const BEFORE: readonly (readonly string[])[] = [
  [
    ...ENTRY,
    'Staging listens on 8080',
    '--text',
    'Staging listens on port 8080.',
    '--provenance',
    'file:README.md#L1',
  ],
  [
    ...['k', 'add', '--tag', 'network', '--merge-key', 'ports', '--title', 'Staging listens on 8443'],
    ...['--text', 'Staging listens on port **8443**, with TLS.', '--provenance', 'file:README.md#L1'],
  ],
  [
    ...FACT,
    'The changelog is written by hand',
    '--text',
    'One line for each change.',
    '--provenance',
    'file:README.md#L3',
  ],
  [
    ...FACT,
    'A release needs two reviewers',
    '--text',
    'Both sign the tag.',
    '--provenance',
    'person:ada@2026-11-15',
  ],
  [
    ...FACT,
    'Gates work without a network',
    '--text',
    'They hold the tickets of a day.',
    '--provenance',
    'file:README.md#L1',
  ],
  ['k', 'verify'],
  ['ref', 'import', path.join(root, 'docs/clients'), '--title', 'Field guide', '--tag', 'docs'],
  ['q', 'How do we deploy?', '--label', 'team=harbour'],
  ['q', '--new', 'Who is on call?', '--label', 'team=harbour', '--label', 'done'],
  ['q', '--new', 'Which limits apply to groups?', '--label', 'team=office'],
  ['ref', 'create', '--title', 'Hono', '--git', 'https://github.com/honojs/hono', '--path', 'docs/'],
  [
    ...['k', 'promote', 'ports', '--evidence-ref', 'file:README.md#L1'],
    ...['--reason', 'agreed in the review of the port list', '--as', 'procedural/staging-port'],
  ],
];

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, screenshots: { type: 'boolean' } },
  allowPositionals: true,
});
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
  if (values.all) await takePictures({ directory: emptyPlace(), name: 'empty-' });
  for (const words of BEFORE)
    spawnSync(process.execPath, [launcher, ...words], { cwd: workspace, env: environment });
  await takePictures({ directory: workspace, name: '' });
} finally {
  rmSync(base, { recursive: true, force: true });
}

function emptyPlace(): string {
  const directory = path.join(base, 'empty');
  mkdirSync(path.join(directory, '.ken'), { recursive: true });
  writeFileSync(path.join(directory, '.ken/config.toml'), '');
  return directory;
}

/** The page of the workspace, served by this process. */
async function openPage(directory: string) {
  const request = {
    ...{ assignments: [], workspace: undefined, directory, environment },
    warn() {},
  };
  const opened = await openApp(request);
  const operator = {
    terminal: () => opened.operator.terminal(),
    name: async () => 'ada',
    presence: async () => ({ isPresent: true }) as const,
  };
  const app: App = { ...opened, operator };
  const ends = new AbortController();
  const { promise, resolve } = Promise.withResolvers<string>();
  const place = { app, openApp, request, isReadOnly: false, signal: ends.signal, report: console.error };
  const served = serveWeb(place, {
    port: 0,
    hasPlainHost: false,
    files: pageFiles(app.directories.state, directory),
    announce: async ({ login }) => resolve(login),
  });
  const [approval] = await app.approvals.list({ statuses: ['pending'], limit: 1 }, Date.now());
  const close = async () => {
    ends.abort();
    await served;
    await opened.close();
  };
  return { login: await promise, approval: approval?.id ?? '', close };
}

async function takePictures(place: { readonly directory: string; readonly name: string }): Promise<void> {
  const { login, approval, close } = await openPage(place.directory);
  const context = await chromium.launchPersistentContext(path.join(base, `${place.name}profile`), {
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
      const shown = await tab.goto(`${origin}${at.replace('APPROVAL', approval)}`);
      if (shown?.ok()) await tab.screenshot({ path: path.join(outdir, `${place.name}${name}${suffix}.png`) });
    }
  }
  await context.close();
  await close();
}
