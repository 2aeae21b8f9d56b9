/** Signs people in, by a login address that works once or by the company's identity provider. */

import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { Fault } from '../../base/fault.ts';
import { html } from '../web/parts/html.ts';
import { bare } from '../web/parts/layout.ts';
import { hashOf } from './authenticate.ts';
import { newSignIn } from './identity-provider.ts';
import { currentRequest, recordAct, type Serving } from './serving.ts';
import { bareFrame, COOKIE, type TeamContext, type TeamHono, type TeamPages } from './team-frame.ts';

const STATE_COOKIE = '__Host-ken-sign-in';
const SESSION_MS = 12 * 3_600_000;
const STATE_MS = 10 * 60_000;
const TOKEN_BYTES = 32;

export function addSignIn(hono: TeamHono, pages: TeamPages): void {
  const { serving, limits } = pages;
  const { access } = serving.team;
  hono.get('/login/:token', async (context) => {
    const now = serving.app.clock.now();
    if (!(await access.isLoginOpen(hashOf(context.req.param('token')), now))) return refused(pages, context);
    const form = html`<h1>Open what the team knows</h1><p>This signs in this browser. The address works once.</p>
      <form method="post" data-submit><button class="main">Open ken</button></form>`;
    return context.html(bare(bareFrame(pages, context, 'Sign in'), form));
  });
  hono.post('/login/:token', async (context) => {
    const { cookie, session } = newSession(serving);
    const hash = hashOf(context.req.param('token'));
    const person = await access.redeemLogin(hash, session, serving.app.clock.now());
    if (person === undefined) return refused(pages, context);
    await signedIn(serving, person);
    setSession(context, cookie);
    return context.redirect('/', 303);
  });
  const { provider } = serving;
  if (!provider?.hasLogin) return;
  const redirect = new URL('/sign-in/back', serving.publicUrl).href;
  hono.get('/sign-in', async (context) => {
    if (!limits.mayFail(currentRequest.getStore()?.origin ?? '')) return limits.refusal();
    const begun = newSignIn(serving.app.ids);
    const expires = serving.app.clock.now() + STATE_MS;
    await access.putSignIn({
      hash: hashOf(begun.state),
      verifier: begun.verifier,
      nonce: begun.nonce,
      expires,
    });
    // Lax, because the provider's page redirects back here.
    setCookie(context, STATE_COOKIE, begun.state, {
      ...COOKIE_RULES,
      sameSite: 'Lax',
      maxAge: STATE_MS / 1000,
    });
    return context.redirect(provider.signInAddress({ redirect, ...begun }), 302);
  });
  hono.get('/sign-in/back', async (context) => {
    const { state = '', code = '', iss } = context.req.query();
    const own = getCookie(context, STATE_COOKIE);
    deleteCookie(context, STATE_COOKIE, COOKIE_RULES);
    const kept =
      own === state && state !== ''
        ? await access.takeSignIn(hashOf(state), serving.app.clock.now())
        : undefined;
    if (!kept || code === '' || (iss !== undefined && iss !== provider.issuer))
      return refused(pages, context);
    let person: string;
    try {
      person = await provider.redeemCode(code, { redirect, state, ...kept });
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'team/denied') throw error;
      return refused(pages, context);
    }
    const { cookie, session } = newSession(serving);
    await access.putSession({ ...session, person });
    await signedIn(serving, person);
    setSession(context, cookie);
    return context.redirect('/', 303);
  });
}

const COOKIE_RULES = { httpOnly: true, secure: true, path: '/' } as const;

function newSession({ app }: Serving) {
  const cookie = app.ids.token(TOKEN_BYTES);
  const expires = app.clock.now() + SESSION_MS;
  const session = {
    hash: hashOf(cookie),
    workspace: undefined,
    formToken: app.ids.token(TOKEN_BYTES),
    expires,
  };
  return { cookie, session };
}

function setSession(context: TeamContext, cookie: string): void {
  setCookie(context, COOKIE, cookie, { ...COOKIE_RULES, sameSite: 'Strict', maxAge: SESSION_MS / 1000 });
}

async function signedIn(serving: Serving, person: string): Promise<void> {
  const current = currentRequest.getStore();
  if (current)
    current.principal = { person, channel: 'browser', workspace: undefined, scopes: undefined, id: '' };
  await recordAct(serving, 'sign-in', 'done');
}

/** The same answer for an unknown, a used and an expired address. */
async function refused(pages: TeamPages, context: TeamContext): Promise<Response> {
  if (!pages.limits.mayFail(currentRequest.getStore()?.origin ?? '')) return pages.limits.refusal();
  await recordAct(pages.serving, 'sign-in', 'denied');
  const content = html`<h1>This sign-in did not work</h1>
    <p>A login address works once, for a few minutes. Ask for a new one, or <a href="/">sign in again</a>.</p>`;
  return context.html(bare(bareFrame(pages, context, 'Sign in'), content), 403);
}
