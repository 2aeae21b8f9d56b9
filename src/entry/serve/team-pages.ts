/** The page of the team, for people who are signed in. Sessions are in the database, so any process can answer. */

import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { Fault, type FaultKind } from '../../base/fault.ts';
import type { Principal, Scope } from '../../domain/team/access.ts';
import type { Session } from '../../domain/team/access-store.ts';
import { favicon, readAssets } from '../web/assets.ts';
import { pageIndexing } from '../web/indexing.ts';
import type { Action, AnyPage, Section, Visit, WebPlace } from '../web/page.ts';
import { approvalPage, approvalsPage, approveAction, denyAction } from '../web/pages/approvals/approvals.ts';
import { citePage } from '../web/pages/cite.ts';
import { conversationPage } from '../web/pages/conversations/conversation.ts';
import { conversationsPage } from '../web/pages/conversations/conversations.ts';
import { kbPage, promptPage, subjectPage } from '../web/pages/knowledge-base/kb.ts';
import { entryPage } from '../web/pages/ledger/entry.ts';
import { ledgerPage } from '../web/pages/ledger/ledger.ts';
import { entryFormPage, LEDGER_ACTIONS, promotePage } from '../web/pages/ledger/ledger-write.ts';
import { mapPage } from '../web/pages/references/reference-new.ts';
import { referencePage, referencesPage } from '../web/pages/references/references.ts';
import { searchPage } from '../web/pages/search.ts';
import { type Html, html, NOTHING } from '../web/parts/html.ts';
import { bare, framed } from '../web/parts/layout.ts';
import { isFormToken } from '../web/sign-ins.ts';
import { headersWith, isOwnPath } from '../web/web-routes.ts';
import { enteredWorkspace, hashOf } from './authenticate.ts';
import { moveAction } from './pages/move-entry.ts';
import { accessData, accessView } from './pages/team-access.ts';
import { teamHomePage } from './pages/team-home.ts';
import { rightsFor } from './rights.ts';
import { currentRequest, recordAct } from './serving.ts';
import { addSignIn } from './sign-in.ts';
import { addTeamEvents } from './team-events.ts';
import {
  assetPaths,
  bareFrame,
  COOKIE,
  type TeamContext,
  type TeamHono,
  type TeamPages,
} from './team-frame.ts';

export const PAGES: readonly AnyPage[] = [
  ...[teamHomePage, searchPage, citePage, approvalsPage, approvalPage],
  ...[ledgerPage, entryPage, entryFormPage, promotePage],
  ...[kbPage, subjectPage, promptPage, referencesPage, referencePage, mapPage],
  ...[conversationsPage, conversationPage],
];
const SHOWN_SECTIONS: readonly Section[] = [
  'home',
  'search',
  'approvals',
  'kb',
  'references',
  'ledger',
  'conversations',
];
/** These come by "ken team push", and references by approvals too. */
const READ_ONLY: ReadonlySet<Section | undefined> = new Set(['kb', 'references', 'conversations'] as const);
export const ACTIONS: readonly (Action & { readonly needs: Scope })[] = [
  { ...approveAction, needs: 'approve' },
  { ...denyAction, needs: 'approve' },
  // Evidence is on the machines of the people who cited it.
  ...LEDGER_ACTIONS.filter(({ path }) => path !== '/ledger/verify').map((each) => ({
    ...each,
    needs: each.path === '/ledger/promote' ? ('propose' as const) : ('write' as const),
  })),
  { ...moveAction, needs: 'propose' },
];

export function teamPages(given: Omit<TeamPages, 'assets'>): TeamHono {
  const pages: TeamPages = { ...given, assets: readAssets() };
  const { serving, assets } = pages;
  const hono: TeamHono = new Hono();
  hono.use(async (context, next) => {
    context.set('nonce', serving.app.ids.token(16));
    await next();
    safeHeaders(context);
  });
  hono.onError((error, context) => failed(pages, context, error));
  for (const { name, type, content } of [assets.style, assets.script, assets.worker])
    hono.get(`/assets/${name}`, (context) =>
      context.body(content, 200, {
        'content-type': type,
        'cache-control': 'private, max-age=31536000, immutable',
      }),
    );
  hono.get('/favicon.svg', (context) =>
    context.body(favicon(Number(context.req.query('n')) || 0), 200, { 'content-type': 'image/svg+xml' }),
  );
  addSignIn(hono, pages);
  hono.use((context, next) => enter(pages, context, next));
  for (const page of PAGES) addPage(hono, pages, page);
  for (const action of ACTIONS) addAction(hono, pages, action);
  addTeam(hono, pages);
  addTeamEvents(hono, pages);
  hono.notFound((context) => {
    const fault = new Fault('net/not-found', 'There is no such page.', { hint: 'The menu lists all pages.' });
    return failed(pages, context, fault);
  });
  return hono;
}

function safeHeaders(context: TeamContext): void {
  for (const [name, value] of Object.entries(headersWith(context.get('nonce')))) context.header(name, value);
  context.header('strict-transport-security', 'max-age=31536000');
  if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
}

/** Finds the session and its workspace. */
async function enter(
  pages: TeamPages,
  context: TeamContext,
  next: () => Promise<void>,
): Promise<Response | undefined> {
  const { serving, limits } = pages;
  const { team, app } = serving;
  const cookie = getCookie(context, COOKIE);
  const session =
    cookie === undefined ? undefined : await team.access.sessionBy(hashOf(cookie), app.clock.now());
  if (!session) return stranger(pages, context);
  const { person, id } = session;
  const principal: Principal = { person, channel: 'browser', workspace: undefined, scopes: undefined, id };
  const current = currentRequest.getStore();
  if (current) current.principal = principal;
  if (!limits.mayAsk(id)) return limits.refusal();
  const entered = await enteredWorkspace(serving, principal, session.workspace);
  const path = new URL(context.req.url).pathname;
  if (!entered && path !== '/choose' && path !== '/sign-out') return chooser(pages, context, session);
  const { workspace = '', scopes = [] } = entered ?? {};
  if (current) current.workspace = workspace;
  const opened = await team.appFor({ workspace, person, rights: rightsFor(serving, scopes) });
  context.set('entry', { session, principal, workspace, scopes, app: opened });
  await next();
  return undefined;
}

/** The cookie is Strict: a link from elsewhere comes without it, so the page first loads itself again. */
async function stranger(pages: TeamPages, context: TeamContext): Promise<Response> {
  const { pathname: given, searchParams } = new URL(context.req.url);
  const pathname = isOwnPath(given) ? given : '/';
  const frame = bareFrame(pages, context, 'Sign in');
  const isCall = context.req.method === 'POST' || pathname.endsWith('.json') || pathname === '/events';
  if (isCall || getCookie(context, COOKIE) !== undefined) {
    if (!pages.limits.mayFail(currentRequest.getStore()?.origin ?? '')) return pages.limits.refusal();
    await recordAct(pages.serving, `page ${pathname}`, 'denied');
  }
  if (isCall) return context.text('Sign in first.\n', 401);
  if (!searchParams.has('again')) {
    searchParams.set('again', '1');
    const again = `${pathname}?${searchParams}`;
    const reload = html`<meta http-equiv="refresh" content="0;url=${again}">`;
    return context.html(bare(frame, html`<p><a href="${again}">Continue</a></p>`, reload), 401);
  }
  const way = pages.serving.provider?.hasLogin
    ? html`<p><a class="button main" href="/sign-in">Sign in</a></p>`
    : html`<p>Ask an administrator of the team for a login address.</p>`;
  return context.html(bare(frame, html`<h1>Sign in</h1>${way}`), 401);
}

async function chooser(pages: TeamPages, context: TeamContext, session: Session): Promise<Response> {
  const { team } = pages.serving;
  const { pathname } = new URL(context.req.url);
  if (session.workspace !== undefined || context.req.method === 'POST')
    await recordAct(pages.serving, `page ${pathname}`, 'denied');
  if (context.req.method === 'POST' || pathname.endsWith('.json') || pathname === '/events')
    return context.text('Choose a workspace first.\n', 403);
  const members = await team.access.members({ person: session.person });
  const open = members.filter(({ scopes }) => scopes.includes('read'));
  const content =
    open.length === 0
      ? html`<h1>No workspace</h1><p>${session.person} is a member of no workspace yet. Ask an administrator of the team.</p>`
      : html`<h1>Choose a workspace</h1><ul class="list">${open.map(
          ({
            workspace,
          }) => html`<li><form method="post" action="/choose"><input type="hidden" name="form_token" value="${session.formToken}">
            <input type="hidden" name="workspace" value="${workspace}"><button class="plain">${workspace}</button></form></li>`,
        )}</ul>`;
  return context.html(bare(bareFrame(pages, context, 'Workspace'), content), open.length === 0 ? 403 : 200);
}

function addPage(hono: TeamHono, pages: TeamPages, page: AnyPage): void {
  const twin = page.path === '/' ? '/index.json' : `${page.path}.json`;
  hono.get(page.path, async (context) => {
    const visit = visitOf(pages, context, page.section);
    const data = await page.load(visit);
    const { search } = new URL(context.req.url);
    const shown = { title: page.title(data), section: page.section, jsonTwin: `${twin}${search}` };
    return context.html(await inFrame(pages, context, shown, page.view(data, visit)));
  });
  hono.get(twin, async (context) =>
    context.json((await page.load(visitOf(pages, context, page.section))) as object),
  );
}

function visitOf({ serving }: TeamPages, context: TeamContext, section?: Section): Visit {
  const { app, scopes, session } = context.get('entry');
  const canChange = !READ_ONLY.has(section) && scopes.some((scope) => scope !== 'read' && scope !== 'admin');
  const place: WebPlace = {
    app,
    openApp: async () => {
      throw new Fault('team/denied', 'The server opens nothing of its own machine.');
    },
    request: { assignments: [], workspace: undefined, directory: '/', environment: {}, warn() {} },
    isReadOnly: !canChange,
    isOfTeam: true,
    turns: NO_TURNS,
    indexing: pageIndexing({ ...serving, app }, TEAM_PATIENCE_MS),
    signal: serving.signal,
    report: serving.report,
  };
  return {
    place,
    app,
    query: new URL(context.req.url).searchParams,
    now: app.clock.now(),
    canChange,
    formToken: session.formToken,
    drafts: NO_DRAFTS,
    lock: { unlock: async () => true, isOpen: async () => true, close() {}, run: (work) => work() },
    signal: context.req.raw.signal,
    isUpdate: false,
  };
}

/** The index of a team is kept by the server, so there is hardly anything to wait for. */
const TEAM_PATIENCE_MS = 30_000;

/** The team's page has no model. */
const NO_TURNS: WebPlace['turns'] = {
  start: () => '',
  get: () => undefined,
  stop() {},
  reply: () => false,
  answer: () => false,
  changed: async () => {},
};

const NO_DRAFTS: Visit['drafts'] = { keep: () => '', get: () => undefined };

interface Shown {
  readonly title: string;
  readonly section: Section | undefined;
  readonly jsonTwin: string | undefined;
}

async function inFrame(pages: TeamPages, context: TeamContext, shown: Shown, content: Html): Promise<Html> {
  const { app, workspace, session, scopes } = context.get('entry');
  const waiting = await app.approvals.list({ statuses: ['pending'], limit: 100 }, app.clock.now());
  const text = context.req.query('done');
  const frame = {
    ...shown,
    nonce: context.get('nonce'),
    assets: assetPaths(pages.assets),
    worker: `/assets/${pages.assets.worker.name}`,
    waiting: waiting.length,
    workspace,
    notice: text === undefined ? undefined : ({ kind: 'done', text: DONE[text] ?? 'Done.' } as const),
    formToken: session.formToken,
    sections: SHOWN_SECTIONS,
    signsOut: `Sign out ${session.person}`,
  };
  const more = scopes.includes('admin')
    ? html`<p class="small"><a href="/team">Members, tokens and audit</a></p>`
    : NOTHING;
  return framed(frame, html`${content}${more}`);
}

/** The address names the notice, as another process may show the next page. */
const DONE: Readonly<Record<string, string>> = { saved: 'Saved.', revoked: 'The token is revoked.' };

function addAction(hono: TeamHono, pages: TeamPages, action: (typeof ACTIONS)[number]): void {
  hono.post(action.path, async (context) => {
    const form = await checkedForm(context);
    const { scopes } = context.get('entry');
    if (!scopes.includes(action.needs)) {
      await recordAct(pages.serving, `page ${action.path}`, 'denied');
      throw new Fault('team/denied', `This needs the right to ${action.needs}.`);
    }
    const { to } = await action.run(visitOf(pages, context), form, []);
    const next = new URL(to, pages.serving.publicUrl);
    next.searchParams.set('done', 'saved');
    return context.redirect(isOwnPath(next.pathname) ? `${next.pathname}${next.search}` : '/', 303);
  });
}

function addTeam(hono: TeamHono, pages: TeamPages): void {
  const { serving } = pages;
  const { access } = serving.team;
  hono.post('/choose', async (context) => {
    const form = await checkedForm(context);
    const { principal } = context.get('entry');
    const wanted = form.get('workspace') ?? '';
    if (!(await enteredWorkspace(serving, principal, wanted))) {
      await recordAct(serving, 'page /choose', 'denied');
      throw new Fault('team/not-found', 'There is no such workspace, or no right to it.');
    }
    await access.chooseWorkspace(hashOf(getCookie(context, COOKIE) ?? ''), wanted);
    return context.redirect('/', 303);
  });
  hono.post('/sign-out', async (context) => {
    await checkedForm(context);
    await access.endSessions(context.get('entry').principal.person);
    await recordAct(serving, 'sign-out', 'done');
    return context.redirect('/', 303);
  });
  hono.get('/team', async (context) => {
    const visit = await accessVisit(pages, context);
    const content = accessView(await accessData(visit), visit);
    return context.html(
      await inFrame(pages, context, { title: 'Team', section: undefined, jsonTwin: '/team.json' }, content),
    );
  });
  hono.get('/team.json', async (context) =>
    context.json(await accessData(await accessVisit(pages, context))),
  );
  hono.post('/team/revoke', async (context) => {
    const form = await checkedForm(context);
    const visit = await accessVisit(pages, context);
    const { tokens } = await accessData(visit);
    const id = form.get('id') ?? '';
    if (!tokens.some((token) => token.id === id))
      throw new Fault('team/not-found', 'There is no such token.');
    await access.revokeToken(id, visit.now);
    await recordAct(serving, `token.revoke ${id}`, 'done');
    return context.redirect('/team?done=revoked', 303);
  });
}

async function accessVisit({ serving }: TeamPages, context: TeamContext) {
  const { scopes, workspace, session, app } = context.get('entry');
  if (!scopes.includes('admin')) {
    await recordAct(serving, 'page /team', 'denied');
    throw new Fault('team/denied', 'This needs the right to admin.');
  }
  return { access: serving.team.access, workspace, now: app.clock.now(), formToken: session.formToken };
}

async function checkedForm(context: TeamContext): Promise<URLSearchParams> {
  const form = new URLSearchParams(await context.req.text());
  const { formToken } = context.get('entry').session;
  if (isFormToken(form.get('form_token') ?? '', { formToken, drafts: NO_DRAFTS })) return form;
  throw new Fault('net/refused', 'This form is from before the last sign-in.', {
    hint: 'Go back, load the page again and repeat it.',
  });
}

const STATUS: Readonly<Partial<Record<FaultKind, 400 | 403 | 404 | 409>>> = {
  usage: 400,
  denied: 403,
  'not-found': 404,
  conflict: 409,
};

async function failed(pages: TeamPages, context: TeamContext, error: unknown): Promise<Response> {
  const isFault = error instanceof Fault;
  if (!isFault) pages.serving.report(error);
  const status = isFault ? (STATUS[error.kind] ?? 500) : 500;
  const message = isFault ? error.message : 'ken has a bug here.';
  const hint = isFault ? error.hint : undefined;
  if (new URL(context.req.url).pathname.endsWith('.json'))
    return context.json(
      { error: { code: isFault ? error.code : 'bug', message, hint: hint ?? null } },
      status,
    );
  const content = html`<h1>${message}</h1>${hint === undefined ? NOTHING : html`<p class="lead">${hint}</p>`}
    <p><a href="/">Home</a></p>`;
  if (context.get('entry') === undefined || status === 500)
    return context.html(bare(bareFrame(pages, context, 'ken'), content), status);
  const shown = { title: status === 404 ? 'Not found' : 'Problem', section: undefined, jsonTwin: undefined };
  return context.html(await inFrame(pages, context, shown, content), status);
}
