/** The routes of the page: login, assets, pages with their JSON twins, and the actions of an operator who may change. */

import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getCookie, setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import { Fault, type FaultKind } from '../../base/fault.ts';
import type { LockHolder } from '../../domain/approvals/lock/approvals-lock.ts';
import { requireOperator } from '../../domain/approvals/operator/operator-presence.ts';
import { type Assets, favicon } from './assets.ts';
import { checkedForm, ownForm } from './forms.ts';
import { mostBodyBytes } from './guard.ts';
import type { Action, AnyPage, Visit, WebPlace } from './page.ts';
import { requireUnlocked } from './pages/approvals/trust.ts';
import type { Html } from './parts/html.ts';
import { bare, framed } from './parts/layout.ts';
import type { SignIn, SignIns } from './sign-ins.ts';
import { requireWorkspaceThere } from './workspace-there.ts';

export interface Routes {
  readonly place: WebPlace;
  readonly pages: readonly AnyPage[];
  readonly actions: readonly Action[];
  readonly signIns: SignIns;
  readonly assets: Assets;
  /** Called after a login. */
  onLogin(): void;
  /** Adds routes that answer with streams. */
  streams(hono: WebHono): void;
}

type Known = { Variables: { nonce: string; signIn: SignIn; lock: LockHolder } };
export type WebHono = Hono<Known>;
type WebContext = Context<Known>;

const COOKIE = 'ken';
const NONCE_BYTES = 16;
/** Header of requests by which a page follows what changes, without anybody doing something. */
const UPDATE = 'x-ken-update';

export function webRoutes(routes: Routes): WebHono {
  const { place, assets, signIns } = routes;
  const hono: WebHono = new Hono();
  hono.use(async (context, next) => {
    context.set('nonce', place.app.ids.token(NONCE_BYTES));
    await next();
    safeHeaders(context);
  });
  hono.use(limitedBody);
  hono.onError((error, context) => failed(routes, context, error));
  for (const { name, type, content } of [assets.style, assets.script, assets.worker, assets.editor])
    hono.get(`/assets/${name}`, (context) =>
      context.body(content, 200, {
        'content-type': type,
        'cache-control': 'private, max-age=31536000, immutable',
      }),
    );
  hono.get('/favicon.svg', (context) =>
    context.body(favicon(Number(context.req.query('n')) || 0), 200, { 'content-type': 'image/svg+xml' }),
  );
  addLogin(hono, routes);
  hono.use(async (context, next) => {
    const isByItself = context.req.header(UPDATE) !== undefined || context.req.path.endsWith('/events');
    const signIn = signIns.find(getCookie(context, COOKIE), { isByItself });
    if (!signIn) return stranger(routes, context);
    context.set('signIn', signIn);
    const lock = signIn.lock ?? (await place.app.lock.holder());
    signIn.lock = lock;
    context.set('lock', lock);
    return lock.run(() => next());
  });
  for (const each of routes.pages) addPage(hono, routes, each);
  routes.streams(hono);
  if (!place.isReadOnly) for (const action of routes.actions) addAction(hono, routes, action);
  hono.post('/sign-out', async (context) => {
    checkedForm(await ownForm(context.req.raw), context.get('signIn'));
    signIns.endAll();
    return context.redirect('/', 303);
  });
  hono.notFound((context) => {
    const fault = new Fault('net/not-found', 'There is no such page.', { hint: 'The menu lists all pages.' });
    return failed(routes, context, fault);
  });
  return hono;
}

const limitedBody: MiddlewareHandler = (context, next) =>
  bodyLimit({
    maxSize: mostBodyBytes(context.req.path),
    onError: (refused) => refused.text('Too large.\n', 413),
  })(context, next);

function safeHeaders(context: WebContext): void {
  for (const [name, value] of Object.entries(headersWith(context.get('nonce')))) context.header(name, value);
  if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
}

/** Also for answers that are given before the routes. */
export function headersWith(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy':
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; connect-src 'self'; worker-src 'self'; ` +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

function addLogin(hono: WebHono, { signIns, place, assets, onLogin }: Routes): void {
  const bareFrame = (context: WebContext) => ({
    title: 'Sign in',
    nonce: context.get('nonce'),
    assets: assetPaths(assets),
  });
  hono.get('/login/:token', (context) => {
    if (!signIns.isOffered(context.req.param('token'))) return context.html(expired(bareFrame(context)), 403);
    const form = html`<h1>Open your knowledge</h1>
      <p>This signs in this browser${place.isReadOnly ? ', to read only' : ''}. The address works once.</p>
      <form method="post" data-submit><button class="main">Open ken</button></form>`;
    return context.html(bare(bareFrame(context), form));
  });
  hono.post('/login/:token', (context) => {
    const cookie = signIns.redeem(context.req.param('token'));
    if (cookie === undefined) return context.html(expired(bareFrame(context)), 403);
    onLogin();
    setCookie(context, COOKIE, cookie, { httpOnly: true, sameSite: 'Strict', path: '/' });
    return context.redirect('/', 303);
  });
}

function expired(frame: Parameters<typeof bare>[0]): Html {
  return bare(
    frame,
    html`<h1>This login address is used up</h1>
      <p>An address works once, for a few minutes. ${NEW_LOGIN}</p>`,
  );
}

const NEW_LOGIN = html`Run <code class="shell">ken web --print-login</code> in a terminal for a new one.`;

/**
 * A browser does not send the cookie when another site links here. So the page first loads itself again from its own
 * origin; only then it asks for a login.
 */
function stranger({ assets }: Routes, context: WebContext): Response | Promise<Response> {
  const { pathname: given, searchParams } = new URL(context.req.url);
  const pathname = isOwnPath(given) ? given : '/';
  const frame = { title: 'Sign in', nonce: context.get('nonce'), assets: assetPaths(assets) };
  if (context.req.method === 'POST' || pathname.endsWith('.json') || pathname === '/events')
    return context.text('Sign in first.\n', 401);
  if (searchParams.has('again'))
    return context.html(
      bare(frame, html`<h1>Sign in</h1><p>This browser is not signed in. ${NEW_LOGIN}</p>`),
      401,
    );
  searchParams.set('again', '1');
  const again = `${pathname}?${searchParams}`;
  const reload = html`<meta http-equiv="refresh" content="0;url=${again}">`;
  return context.html(bare(frame, html`<p><a href="${again}">Continue</a></p>`, reload), 401);
}

function addPage(hono: WebHono, routes: Routes, page: AnyPage): void {
  const twin = page.path === '/' ? '/index.json' : `${page.path}.json`;
  hono.get(page.path, async (context) => {
    const visit = visitOf(routes, context);
    const data = await page.load(visit);
    const { search } = new URL(context.req.url);
    const { section, hasEditor = false } = page;
    const isGoingOn = page.isGoingOn?.(data) ?? false;
    const frame = { title: page.title(data), section, hasEditor, isGoingOn, jsonTwin: `${twin}${search}` };
    return context.html(await inFrame(routes, context, frame, page.view(data, visit)));
  });
  hono.get(twin, async (context) => context.json((await page.load(visitOf(routes, context))) as object));
}

function visitOf({ place }: Routes, context: WebContext): Visit {
  return {
    place,
    app: place.app,
    query: new URL(context.req.url).searchParams,
    now: place.app.clock.now(),
    canChange: !place.isReadOnly,
    formToken: context.get('signIn').formToken,
    drafts: context.get('signIn').drafts,
    lock: context.get('lock'),
    signal: context.req.raw.signal,
    isUpdate: context.req.header(UPDATE) !== undefined,
  };
}

interface InFrame {
  readonly title: string;
  readonly section: AnyPage['section'] | undefined;
  readonly jsonTwin: string | undefined;
  readonly hasEditor?: boolean;
  readonly isGoingOn?: boolean;
}

async function inFrame(
  { place, assets }: Routes,
  context: WebContext,
  { hasEditor = false, ...shown }: InFrame,
  content: Html,
): Promise<Html> {
  const signIn = context.get('signIn');
  const { notice } = signIn;
  signIn.notice = undefined;
  const { app } = place;
  const waiting = await app.approvals.list({ statuses: ['pending'], limit: 100 }, app.clock.now());
  const frame = {
    ...shown,
    nonce: context.get('nonce'),
    worker: `/assets/${assets.worker.name}`,
    assets: { ...assetPaths(assets), ...(hasEditor && { editor: `/assets/${assets.editor.name}` }) },
    waiting: waiting.length,
    workspace: app.workspace?.root,
    notice,
    formToken: place.isReadOnly ? undefined : signIn.formToken,
  };
  return framed(frame, content);
}

function assetPaths({ style, script }: Assets): { readonly style: string; readonly script: string } {
  return { style: `/assets/${style.name}`, script: `/assets/${script.name}` };
}

function addAction(hono: WebHono, routes: Routes, action: Action): void {
  hono.post(action.path, async (context) => {
    const { form, files } = await ownForm(context.req.raw);
    const signIn = context.get('signIn');
    checkedForm({ form }, signIn);
    const visit = visitOf(routes, context);
    try {
      await requireOperator(visit.app, 'Changing something on the page', 'question');
      await requireWorkspaceThere(visit.app);
      if (action.decides) await requireUnlocked(visit);
      const { to, notice } = await action.run(visit, form, files);
      signIn.notice = notice;
      return context.redirect(isOwnPath(to) ? to : '/', 303);
    } catch (error) {
      const back = form.get('back');
      if (!(error instanceof Fault) || back === null || !isOwnPath(back)) throw error;
      signIn.notice = { kind: 'problem', text: error.message, hint: error.hint };
      return context.redirect(back, 303);
    }
  });
}

/** Browsers read a backslash as a slash, so that some paths lead to another host. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])[\x20-\x7e]*$/.test(path);
}

const STATUS: Readonly<Partial<Record<FaultKind, 400 | 403 | 404 | 409>>> = {
  usage: 400,
  denied: 403,
  'not-found': 404,
  conflict: 409,
};

const WAY_ON = 'It may have been moved or removed meanwhile. Load the page again; Doctor says what is wrong.';

async function failed(routes: Routes, context: WebContext, error: unknown): Promise<Response> {
  const isFault = error instanceof Fault;
  if (!isFault) routes.place.report(error);
  const status = isFault ? (STATUS[error.kind] ?? 500) : 500;
  const message = isFault ? error.message : 'ken has a bug here.';
  const hint = isFault
    ? (error.hint ?? WAY_ON)
    : 'The terminal that runs ken web shows the details. Please report it.';
  if (new URL(context.req.url).pathname.endsWith('.json'))
    return context.json({ error: { code: isFault ? error.code : 'bug', message, hint } }, status);
  const content = html`<h1>${message}</h1>
    <p class="lead">${hint}</p>
    <p class="row"><a class="button" href="/">Home</a> <a class="button" href="/doctor">Doctor</a></p>`;
  const frame = { title: 'Not found', section: undefined, jsonTwin: undefined };
  const signedIn = context.get('signIn') as SignIn | undefined;
  if (!signedIn)
    return context.html(
      bare({ title: 'ken', nonce: context.get('nonce'), assets: assetPaths(routes.assets) }, content),
      status,
    );
  const title = status === 404 ? frame.title : 'Problem';
  return context.html(await inFrame(routes, context, { ...frame, title }, content), status);
}
