import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { App, WorkspaceApp } from '../../src/app.ts';
import { openApp } from '../../src/compose.ts';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import { addEntry } from '../../src/domain/ledger/add-entry.ts';
import { pageIndexing } from '../../src/entry/web/indexing.ts';
import type { AnyPage, OpenedPlace, Visit, WebPlace } from '../../src/entry/web/page.ts';
import { PAGES } from '../../src/entry/web/pages.ts';
import { pageFiles } from '../../src/entry/web/running-page.ts';
import { serveWeb } from '../../src/entry/web/serve-web.ts';
import { signIns } from '../../src/entry/web/sign-ins.ts';
import { runningTurns } from '../../src/entry/web/turns.ts';
import { temporaryDirectory } from '../bench.ts';
import type { Row } from '../row.ts';
import { syntheticQuestions, writeConversations } from '../synthetic-chunks.ts';

const SUBJECTS = 10_000;
const CHUNKS = 100_000;
const ENTRIES = 20_000;
const CONVERSATIONS = 5_000;
const PAGES_SHOWN = {
  home: '/',
  search: '/search?q=QUESTION',
  citation: '/cite?uri=ken%3A%2F%2Fkb%2Fbig%2Farea-3%2Fsubject-3%23L3',
  'knowledge-base': '/kb',
  subject: '/kb/subject?topic=big&slug=area-3%2Fsubject-3',
  references: '/references',
  ledger: '/ledger',
  entry: '/ledger/entry?id=entry-7',
  conversations: '/conversations',
  approvals: '/approvals',
  tools: '/tools',
  jobs: '/jobs?all=1',
  settings: '/settings?all=1',
  doctor: '/doctor',
} as const;

interface BigPlace {
  readonly place: WebPlace;
  /** Name and port of the page, and the cookie of a browser that signed in. */
  readonly host: string;
  readonly cookie: string;
}

let opened: Promise<BigPlace> | undefined;

/** Built once for all rows; gone when the process ends. */
function bigPlace(): Promise<BigPlace> {
  opened ??= buildPlace();
  return opened;
}

async function buildPlace(): Promise<BigPlace> {
  const base = temporaryDirectory();
  process.on('exit', () => rmSync(base, { recursive: true, force: true }));
  const [root, home] = [path.join(base, 'work'), path.join(base, 'home')];
  for (const directory of [root, home]) mkdirSync(directory);
  mkdirSync(path.join(root, '.ken'));
  writeFileSync(path.join(root, '.ken/config.toml'), '[kb.topic.big]\nsubjects = ".ken/kb/big"\n');
  writeSubjects(path.join(root, '.ken/kb/big'));
  writeConversations(root, CHUNKS);
  writeShortConversations(root);
  const asked = {
    assignments: [],
    workspace: undefined,
    directory: root,
    environment: { PATH: process.env.PATH, HOME: home, KEN_HOME: home },
    warn() {},
  };
  const app = await openApp(asked);
  await writeEntries(app as WorkspaceApp);
  const operator = {
    name: async () => 'ada',
    presence: async () => ({ isPresent: true }) as const,
    terminal: () => app.operator.terminal(),
  };
  const ends = new AbortController();
  const shown = {
    ...{ app: { ...app, operator }, openApp, request: asked, isReadOnly: false, signal: ends.signal },
    report(error: unknown): void {
      throw error;
    },
  };
  const place = { ...shown, turns: runningTurns(shown), indexing: pageIndexing(shown) };
  return { place, ...(await served(shown)) };
}

function writeSubjects(directory: string): void {
  for (let at = 0; at < SUBJECTS; at++) {
    const folder = path.join(directory, `area-${at % 100}`);
    if (at < 100) mkdirSync(folder, { recursive: true });
    const text = `# Subject ${at}\n\nIt is about area ${at % 100} and number ${at}.\n\n${'More words. '.repeat(60)}\n`;
    writeFileSync(path.join(folder, `subject-${at}.md`), text);
  }
}

function writeShortConversations(root: string): void {
  for (let number = 0; number < CONVERSATIONS; number++) {
    const minute = Date.UTC(2026, 5, 1) + number * 60_000;
    const at = new Date(minute).toISOString();
    const directory = path.join(root, '.ken/conversations', conversationIdAt(minute, '0000'));
    mkdirSync(directory, { recursive: true });
    const labels = { team: `team-${number % 7}` };
    const metadata = { title: `Conversation ${number}`, created_at: at, active_at: at, labels };
    writeFileSync(path.join(directory, 'metadata.json'), JSON.stringify(metadata));
    writeFileSync(path.join(directory, 'base_config.json'), '{}');
    writeFileSync(path.join(directory, 'events.jsonl'), '');
  }
}

async function writeEntries(app: WorkspaceApp): Promise<void> {
  for (let at = 0; at < ENTRIES; at++)
    await addEntry(
      { ...app, isCitationUri: () => false },
      {
        id: `entry-${at}`,
        title: `Entry ${at}`,
        text: `It says ${at}.`,
        provenance: [`person:ada`],
        actor: { name: 'ada', run: 'bench' },
      },
    );
}

async function served(place: OpenedPlace): Promise<{ host: string; cookie: string }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const files = pageFiles(place.app.directories.state, place.app.workspace?.root);
  void serveWeb(place, {
    port: 0,
    hasPlainHost: false,
    files,
    announce: async ({ login }) => resolve(login),
  });
  const login = new URL(await promise);
  const { host } = login;
  const headers = { origin: `http://${host}`, 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await fetched({ host, method: 'POST', path: login.pathname, headers });
  return { host, cookie: reply.cookie };
}

interface Knock {
  readonly host: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function fetched({ host, method = 'GET', path: at, headers = {} }: Knock) {
  const sent = request({
    host: '127.0.0.1',
    port: new URL(`http://${host}`).port,
    method,
    path: at,
    headers: { host, ...headers },
    // A kept connection may have been closed by the server while the other side was measured.
    agent: false,
  });
  sent.end('');
  const [response] = await once(sent, 'response');
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  return {
    bytes,
    status: response.statusCode as number,
    cookie: String(response.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '',
  };
}

/** An app of hono that answers every request with so many bytes. */
async function emptyServer(bytes: number): Promise<Server> {
  const hono = new Hono();
  const body = 'x'.repeat(bytes);
  hono.get('/', (context) => context.html(body));
  const server = createServer(getRequestListener(hono.fetch));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function visitOf(place: WebPlace, address: string): Visit {
  const browsers = signIns(place.app);
  const signIn = browsers.find(browsers.redeem(browsers.offer()));
  if (!signIn) throw new Error('A browser that has just signed in is not known.');
  const isOpen = async () => true;
  return {
    place,
    app: place.app as App,
    query: new URL(address, 'http://ken').searchParams,
    now: place.app.clock.now(),
    canChange: true,
    formToken: signIn.formToken,
    drafts: signIn.drafts,
    lock: { unlock: isOpen, isOpen, close() {}, run: (work) => work() },
    signal: place.signal,
    isUpdate: false,
  };
}

function pageAt(address: string): AnyPage {
  const { pathname } = new URL(address, 'http://ken');
  const page = PAGES.find((each) => each.path === pathname);
  if (page) return page;
  throw new Error(`There is no page at ${pathname}.`);
}

const [question = ''] = syntheticQuestions(1);

export const rows: readonly Row[] = Object.entries(PAGES_SHOWN).map(([name, shown]) => ({
  name: `page-${name}`,
  subject: `the page ${name}, with 10,000 subjects, 100,000 chunks, 20,000 entries, 5,000 conversations`,
  floor: 'the domain calls it shows, and an empty answer of hono of the same bytes',
  bar: 3,
  statistic: 'p95',
  async prepare({ inProcess }) {
    const { place, host, cookie } = await bigPlace();
    const at = shown.replace('QUESTION', encodeURIComponent(question));
    const get = async () => {
      const { bytes, status } = await fetched({ host, path: at, headers: { cookie } });
      if (status !== 200) throw new Error(`${at} answered ${status}.`);
      return bytes;
    };
    const empty = await emptyServer(await get());
    const emptyHost = `127.0.0.1:${(empty.address() as AddressInfo).port}`;
    const page = pageAt(at);
    return {
      subject: inProcess(get),
      floor: inProcess(async () => {
        const visit = visitOf(place, at);
        await page.load(visit);
        // Every page shows the number of requests that wait.
        await place.app.approvals.list({ statuses: ['pending'], limit: 100 }, visit.now);
        await fetched({ host: emptyHost, path: '/' });
      }),
      close: () => void empty.close(),
    };
  },
}));
