/** Members, tokens and the audit log, for those who administer. */

import { neutralise } from '../../../base/terminal-text.ts';
import type { AccessStore } from '../../../domain/team/access-store.ts';
import { ago, badge, type Html, hidden, html, NOTHING } from '../../web/parts/html.ts';

const SHOWN = 100;

export interface AccessVisit {
  readonly access: AccessStore;
  readonly workspace: string;
  readonly now: number;
  readonly formToken: string;
}

export async function accessData({ access, workspace }: Pick<AccessVisit, 'access' | 'workspace'>) {
  const members = await access.members({ workspace });
  const people = new Set(members.map(({ person }) => person));
  const tokens = (await access.tokens()).filter(
    (token) => token.workspace === workspace || (token.workspace === undefined && people.has(token.person)),
  );
  const records = (await access.audit({ limit: SHOWN * 10 })).filter((each) => each.workspace === workspace);
  return { members, tokens, records: records.slice(0, SHOWN) };
}

export function accessView(
  { members, tokens, records }: Awaited<ReturnType<typeof accessData>>,
  { now, formToken, workspace }: AccessVisit,
): Html {
  return html`<div class="top"><h1>Team</h1></div>
    <section class="stack" aria-labelledby="members"><h2 id="members">Members of ${workspace}</h2>
      <ul class="list">${members.map(
        ({ person, scopes }) =>
          html`<li><span>${person}</span><span class="row">${scopes.map((each) => badge(each))}</span></li>`,
      )}</ul></section>
    <section class="stack" aria-labelledby="tokens"><h2 id="tokens">Tokens of assistants</h2>
      <ul class="list">${tokens.map(
        ({ id, person, scopes, expires, revoked }) => html`<li><span>${person} <code>${id}</code></span>
        <span class="row">${scopes.map((each) => badge(each))} ${
          revoked !== undefined
            ? badge('revoked')
            : html`${
                expires <= now
                  ? badge('expired')
                  : html`<span class="small quiet">expires ${ago(expires, now)}</span>
              <form method="post" action="/team/revoke">${hidden('form_token', formToken)}${hidden('id', id)}<button class="danger">Revoke</button></form>`
              }`
        }</span></li>`,
      )}</ul></section>
    <section class="stack" aria-labelledby="audit"><h2 id="audit">What was done and denied</h2>
      <ul class="list">${records.map(
        ({
          at,
          person,
          act,
          outcome,
          origin,
          channel,
        }) => html`<li><span>${badge(outcome, outcome === 'denied' ? 'alert' : 'plain')}
          ${neutralise(act)}</span><span class="row small quiet">${person || 'nobody known'} ${channel} ${origin} ${ago(at, now)}</span></li>`,
      )}</ul>${records.length === 0 ? html`<p class="quiet">Nothing yet.</p>` : NOTHING}</section>`;
}
