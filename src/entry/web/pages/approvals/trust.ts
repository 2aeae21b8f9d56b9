/** Trust of this workspace and the lock on approvals: both decide what counts without being asked again. */

import { isInWorkspace } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { neutralise } from '../../../../base/terminal-text.ts';
import { isLocked, lockedFault } from '../../../../domain/approvals/lock/approvals-lock.ts';
import { seekApproval } from '../../../../domain/approvals/seek-approval.ts';
import { type TrustState, trustState } from '../../../../domain/approvals/trust.ts';
import { definitionLines, formatDefinitionLine } from '../../../../domain/approvals/trust-difference.ts';
import { trustRequest } from '../../../../domain/approvals/trust-workspace.ts';
import { type Action, page, type Visit, workspaceOf } from '../../page.ts';
import {
  address,
  ago,
  badge,
  brokenPath,
  changeForm,
  differenceView,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
} from '../../parts/html.ts';

/** The page asks nobody by itself: a request waits in the inbox, like everybody else's. */
export const NOBODY = {
  isThere: async () => false,
  asksAgain: async () => true,
  ask: async () => ({ verdict: 'nobody' }) as const,
};

const SENTENCES: Readonly<Record<TrustState, string>> = {
  nothing: 'Nothing here needs trust: the workspace defines no program, server or connection.',
  untrusted: 'Not trusted: what is listed is left out.',
  changed: 'Changed since it was trusted: all of it is left out until you decide again.',
  trusted: 'Trusted exactly as it is listed.',
};

export const trustPage = page({
  path: '/approvals/trust',
  section: 'approvals',
  title: () => 'Trust',
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const sources = await app.definitions.all();
    const before = await app.trust.get(app.workspace.root);
    const lines = definitionLines(before?.sources ?? [], sources);
    return {
      workspace: app.workspace.root,
      state: trustState(before, sources),
      definitions: lines,
      trusted: before ? { by: before.decision.by, at: before.decision.at } : null,
    };
  },
  view: ({ workspace, state, definitions, trusted }, visit) => html`
    <div class="top"><div><p class="quiet"><a href="/approvals">Approvals</a></p><h1>Trust</h1></div>
      ${state === 'nothing' ? NOTHING : badge(state, state === 'trusted' ? 'accent' : 'alert')}</div>
    <p class="lead">${SENTENCES[state]}</p>
    <div class="beside"><div class="stack">
      ${
        definitions.length === 0
          ? NOTHING
          : html`<h2>What it lets run, read or send</h2>
            ${differenceView(neutralise(definitions.map(formatDefinitionLine).join('\n')))}`
      }
      <div class="row">
        ${state === 'untrusted' || state === 'changed' ? changeForm(visit, '/approvals/trust', html`${hidden('back', '/approvals/trust')}<button class="main">Ask to trust it</button>`) : NOTHING}
        ${trusted === null ? NOTHING : changeForm(visit, '/approvals/revoke', html`${hidden('back', '/approvals/trust')}<button class="danger">Revoke the trust</button>`)}
      </div></div>
      <aside aria-label="About this trust">${facts([
        { name: 'Workspace', value: html`<code>${brokenPath(workspace)}</code>` },
        {
          name: 'Trusted',
          value: trusted === null ? 'never' : html`${ago(trusted.at, visit.now)} by ${trusted.by}`,
        },
      ])}</aside></div>`,
});

/** The lock as this browser sees it; nothing while there is none. */
export async function lockStanding({ app, lock }: Visit) {
  const state = await app.lock.state();
  if (!isLocked(state)) return null;
  const reset = state.kind === 'on' && state.reset !== undefined ? state.reset : null;
  return { isBroken: state.kind === 'broken', isOpen: await lock.isOpen(), reset };
}

export function lockView(
  standing: Awaited<ReturnType<typeof lockStanding>>,
  back: string,
  visit: Visit,
): Html {
  if (standing === null) return NOTHING;
  if (standing.isBroken)
    return html`<div class="notice problem"><p>The lock on approvals cannot be believed, so nothing can be decided.</p>
      <p class="quiet">"ken doctor" says what is wrong with it.</p></div>`;
  const told =
    standing.reset === null
      ? NOTHING
      : html`<p class="quiet">The passphrase was replaced ${ago(standing.reset, visit.now)}; everything decided before is void.</p>`;
  if (standing.isOpen)
    return html`<div class="notice"><div class="row"><p>Approvals are unlocked in this browser.</p>
      ${changeForm(visit, '/approvals/lock', html`${hidden('back', back)}<button>Lock again</button>`)}</div>${told}</div>`;
  return html`<div class="notice problem stack"><p><strong>Approvals are locked.</strong> Nothing can be approved in this browser before you give the passphrase.</p>
    ${changeForm(
      visit,
      '/approvals/unlock',
      html`${hidden('back', back)}<label class="row">Passphrase <input type="password" name="passphrase" required autocomplete="current-password"></label><button class="main">Unlock</button>`,
      'row',
    )}${told}</div>`;
}

/** A Fault while the lock is on and this browser has not opened it. */
export async function requireUnlocked({ app, lock }: Visit): Promise<void> {
  if (await lock.isOpen()) return;
  const { message } = lockedFault(await app.lock.state());
  throw new Fault('approvals/locked', message, { hint: 'Type the passphrase on the page of approvals.' });
}

/** Every attempt costs a second of work, so they are made one after another. */
let trying: Promise<unknown> = Promise.resolve();

export const TRUST_ACTIONS: readonly Action[] = [
  {
    path: '/approvals/unlock',
    async run({ lock }, form) {
      const passphrase = form.get('passphrase') ?? '';
      const attempt = trying.then(() => lock.unlock(passphrase));
      trying = attempt.catch(() => {});
      const to = form.get('back') ?? '/approvals';
      return (await attempt)
        ? { to, notice: { kind: 'done', text: 'Unlocked, in this browser alone.' } }
        : { to, notice: { kind: 'problem', text: 'That is not the passphrase.' } };
    },
  },
  {
    path: '/approvals/lock',
    async run({ lock }, form) {
      lock.close();
      return { to: form.get('back') ?? '/approvals', notice: { kind: 'done', text: 'Locked again.' } };
    },
  },
  {
    path: '/approvals/trust',
    async run(visit) {
      const app = workspaceOf(visit);
      const sources = await app.definitions.all();
      const before = await app.trust.get(app.workspace.root);
      const request = trustRequest({ workspace: app.workspace.root, actor: 'the page', sources, before });
      const { approval } = await seekApproval(app, request, visit.signal);
      return { to: address('/approvals/show', { id: approval.id }) };
    },
  },
  {
    path: '/approvals/revoke',
    async run({ app }) {
      const wasTrusted = isInWorkspace(app) && (await app.trust.revoke(app.workspace.root));
      const text = wasTrusted ? 'The workspace is no longer trusted.' : 'It was not trusted.';
      return { to: '/approvals/trust', notice: { kind: 'done', text } };
    },
  },
];
