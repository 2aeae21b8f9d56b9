import { isInWorkspace } from '../../../../app.ts';
import { Fault } from '../../../../base/fault.ts';
import { asText, memberOf } from '../../../../base/json.ts';
import { lineDifference } from '../../../../base/line-difference.ts';
import { neutralise } from '../../../../base/terminal-text.ts';
import type { Approval } from '../../../../domain/approvals/approval.ts';
import {
  approveInPerson,
  deny,
  findApproval,
  noteFrom,
} from '../../../../domain/approvals/decide-approval.ts';
import { describeApproval } from '../../../../domain/approvals/describe-reason.ts';
import { editableText } from '../../../../domain/approvals/operator/edit-request.ts';
import { readableJson } from '../../../../domain/approvals/readable-json.ts';
import { approvalAsJson } from '../../../cli/commands/approvals/approval-json.ts';
import { type Action, page, type Visit } from '../../page.ts';
import {
  address,
  ago,
  badge,
  brokenPath,
  changeForm,
  choices,
  differenceView,
  emptyState,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
  shell,
} from '../../parts/html.ts';
import { shownApproval } from './approval-shown.ts';
import { approvedWork, approvedWorkView } from './approved-work.ts';
import { lockStanding, lockView } from './trust.ts';

const HISTORY = 100;
const LATELY = 5;

export const approvalsPage = page({
  path: '/approvals',
  section: 'approvals',
  title: () => 'Approvals',
  async load(visit: Visit) {
    const { app, query, now } = visit;
    const isHistory = query.get('all') === '1';
    const filter = isHistory ? { limit: HISTORY } : { statuses: ['pending', 'approved'] as const };
    const found = await app.approvals.list(filter, now);
    const lately = await app.decisionLog.list(LATELY);
    return {
      isHistory,
      approvals: found.map(approvalAsJson),
      found,
      lock: await lockStanding(visit),
      lately: lately.map(({ number, at, act, subject, by, program }) => ({
        number,
        at,
        act,
        subject,
        by,
        program,
      })),
    };
  },
  view: ({ isHistory, found, lock, lately }, visit) => html`
    <div class="top"><h1>Approvals</h1>
      ${choices('Which approvals', [
        { text: 'Waiting', to: '/approvals', isChosen: !isHistory },
        { text: 'History', to: '/approvals?all=1', isChosen: isHistory },
        ...(isInWorkspace(visit.app) ? [{ text: 'Trust', to: '/approvals/trust', isChosen: false }] : []),
      ])}
    </div>
    ${lockView(lock, '/approvals', visit)}
    ${lately.length === 0 ? NOTHING : latelyView(lately, visit.now)}
    <div id="live" data-live-part class="stack">
      ${
        found.length === 0
          ? emptyState(
              isHistory ? 'Nothing was asked for yet.' : 'Nothing waits for your approval.',
              'A request appears here by itself, as soon as an assistant makes one.',
            )
          : html`<ul class="list" data-items>${found.map((approval) => itemView(approval, visit))}</ul>`
      }
      ${isHistory ? NOTHING : denyManyView(found, visit)}
    </div>`,
});

interface Decided {
  readonly at: number;
  readonly act: string;
  readonly subject: string;
  readonly by: string;
  readonly program: string;
}

/** The last decisions, so that one that you did not make is seen. */
function latelyView(lately: readonly Decided[], now: number): Html {
  return html`<details class="small"><summary>Decided lately: ${lately[0]?.act} ${ago(lately[0]?.at ?? now, now)}</summary>
    <ul class="list">${lately.map(
      ({
        at,
        act,
        subject,
        by,
        program,
      }) => html`<li class="line"><span>${badge(act)} <span class="mono">${neutralise(subject)}</span></span>
        <span class="quiet">${by}, ${program}, ${ago(at, now)}</span></li>`,
    )}</ul></details>`;
}

/** Enough of a request to tell it from others of its kind. */
const BEGINNING = 120;

function itemView(approval: Approval, { now, canChange }: Visit): Html {
  const { id, summary, actor, workspace, created, state } = approval;
  const title = neutralise(summary);
  const about = describeApproval(approval).parts[0]?.text.trim().split('\n')[0] ?? '';
  const box = html`<input type="checkbox" form="deny-many" name="id" value="${id}" aria-label="Select: ${title}">`;
  return html`<li>
    <span class="row ticked">${canChange && state.status === 'pending' ? box : NOTHING}
      <a class="name" href="${address('/approvals/show', { id })}">${title}</a></span>
    ${about === '' ? NOTHING : html`<span class="small mono">${[...neutralise(about)].slice(0, BEGINNING).join('')}</span>`}
    <span class="row small quiet">${statusBadge(state.status)} asked by ${neutralise(actor)} ${ago(created, now)}
      <span class="mono">${workspace ?? ''}</span></span>
  </li>`;
}

function statusBadge(status: Approval['state']['status']): Html {
  return badge(
    status,
    status === 'pending' ? 'alert' : status === 'denied' || status === 'expired' ? 'plain' : 'accent',
  );
}

/** Denies those that are ticked above, which are in this form too. */
function denyManyView(found: readonly Approval[], visit: Visit): Html {
  const pending = found.filter(({ state }) => state.status === 'pending');
  if (pending.length < 2 || !visit.canChange) return NOTHING;
  return html`<form method="post" action="/approvals/deny" class="inline" id="deny-many">
    ${hidden('form_token', visit.formToken)}${hidden('back', '/approvals')}
    ${reasonField()}<button class="danger">Deny the ticked ones</button></form>`;
}

function reasonField(): Html {
  return html`<label class="why"><span>Why, for the one that asked</span> <input name="note" maxlength="500" autocomplete="off"></label>`;
}

export const approvalPage = page({
  path: '/approvals/show',
  section: 'approvals',
  title: ({ approval }) => approval.summary,
  async load(visit: Visit) {
    const { app, query } = visit;
    const approval = await findApproval(app, query.get('id') ?? '');
    return {
      approval,
      ...describeApproval(approval),
      work: await approvedWork(app, approval.id),
      lock: await lockStanding(visit),
      difference: await differenceOf(visit, approval),
    };
  },
  isGoingOn: ({ work }) => work?.status === 'running',
  view: ({ approval, question, parts, work, lock, difference }, visit) => html`
    <div class="top"><div>
      <p class="quiet"><a href="/approvals">Approvals</a></p>
      <h1>${neutralise(question)}</h1>
    </div>${statusBadge(approval.state.status)}</div>
    <div class="beside">
      <div class="stack">
        ${approvedWorkView(work, visit)}
        ${parts.map(
          ({ label, text }) =>
            html`<section class="said"><h2>${label}</h2><pre class="request" tabindex="0">${neutralise(text)}</pre></section>`,
        )}
        ${difference === null ? NOTHING : html`<section class="said"><h2>${difference.title}</h2>${differenceView(neutralise(difference.text))}</section>`}
        ${approval.state.status === 'pending' ? lockView(lock, address('/approvals/show', { id: approval.id }), visit) : NOTHING}
        ${decisionForms(approval, visit)}
        <details><summary>The exact request</summary>
          <pre class="request" tabindex="0">${neutralise(readableJson(approval.request))}</pre>
          <p class="small quiet">SHA-256 <code>${approval.digest}</code></p>
        </details>
      </div>
      <aside aria-label="About this request">${facts([
        { name: 'Asked by', value: neutralise(approval.actor) },
        { name: 'Asked', value: ago(approval.created, visit.now) },
        { name: 'Expires', value: ago(approval.expires, visit.now) },
        { name: 'Workspace', value: approval.workspace && brokenPath(approval.workspace) },
        { name: 'Decided', value: decisionView(approval, visit.now) },
        { name: 'Id', value: html`<code>${approval.id}</code>` },
      ])}</aside>
    </div>`,
});

/** The change that the approval would make, line by line, to something that is there already. */
export async function differenceOf(
  { app }: Pick<Visit, 'app'>,
  { reason, request, workspace }: Approval,
): Promise<{ readonly title: string; readonly text: string } | null> {
  if (reason.type === 'tool_definition') return { title: 'What changes', text: reason.diff };
  if (reason.type === 'subject_propose') {
    const [before, after] = [asText(memberOf(request, 'before')), asText(memberOf(request, 'text'))];
    return { title: 'What changes', text: lineDifference(before ?? '', after ?? '') };
  }
  if (reason.type === 'workspace_trust')
    return { title: 'What changes', text: reason.definitions.join('\n') };
  if (reason.type !== 'knowledge_promote' || !isInWorkspace(app) || workspace !== app.workspace.root)
    return null;
  const target = memberOf(request, 'target');
  const [before] = typeof target === 'string' ? await app.ledger.entries([target]) : [];
  return before
    ? { title: `What changes in ${before.id}`, text: lineDifference(before.text, reason.text) }
    : null;
}

function decisionView({ state }: Approval, now: number): Html | undefined {
  if (!('decision' in state) || !state.decision) return undefined;
  const { by, at, through, note } = state.decision;
  return html`${ago(at, now)} by ${by}, through ${through}${note === undefined ? '' : `: ${note}`}`;
}

function decisionForms(approval: Approval, visit: Visit): Html {
  if (approval.state.status !== 'pending')
    return html`<p>This request is ${approval.state.status}; nothing is left to decide.</p>`;
  if (!visit.canChange)
    return html`<p>This page is read only. Decide with ${shell(`ken approvals approve ${approval.id}`)}.</p>`;
  const named = html`${hidden('id', approval.id)}${hidden('digest', approval.digest)}${hidden(
    'back',
    address('/approvals/show', { id: approval.id }),
  )}`;
  return html`<div class="row">
    ${changeForm(visit, '/approvals/approve', html`${named}<button class="main" data-key="a">Approve</button>`)}
    ${editLink(approval)}
    <span class="small quiet">It covers exactly this request, once.</span>
  </div>
  ${changeForm(visit, '/approvals/deny', html`${named}${reasonField()}<button class="danger" data-key="d">Deny</button>`, 'inline')}`;
}

function editLink({ id, reason, request }: Approval): Html {
  const isTopic = reason.type === 'reference_topic_create';
  if (!isTopic && !editableText({ reason, request })) return NOTHING;
  const to = isTopic ? address('/references/new', { approval: id }) : address('/approvals/edit', { id });
  return html`<a class="button" href="${to}" data-key="e">Edit, then approve</a>`;
}

export const approveAction: Action = {
  path: '/approvals/approve',
  decides: true,
  async run(visit, form) {
    const { app, place } = visit;
    const approval = await shownApproval(visit, form);
    const inTurn = { verdict: 'approve', by: await app.operator.name(), through: 'web' } as const;
    if (place.turns.answer(approval.id, inTurn)) return { to: form.get('back') ?? '/approvals' };
    const to = address('/approvals/show', { id: approval.id });
    const decider = {
      isThere: async () => true,
      asksAgain: async () => true,
      ask: async () => ({ verdict: 'approve', by: await app.operator.name(), through: 'web' }) as const,
    };
    const hasWork = app.waitingWork.some(({ reason }) => reason === approval.reason.type);
    const deciding = approveInPerson({ ...app, approver: decider }, { approval }, place.signal);
    if (!hasWork) {
      await deciding;
      return { to, notice: { kind: 'done', text: 'Approved. What asked for it can go on.' } };
    }
    // Work may take minutes; the page of the approval shows how far it is, and how it ended.
    const hasEnded = await Promise.race([deciding.then(() => true), soon()]);
    deciding.catch((error: unknown) => {
      if (!(error instanceof Fault)) place.report(error);
    });
    return hasEnded ? { to } : { to, notice: { kind: 'done', text: 'Approved. The work has begun.' } };
  },
};

const SOON_MS = 600;

function soon(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), SOON_MS).unref());
}

export const denyAction: Action = {
  path: '/approvals/deny',
  async run({ app, place }, form) {
    const by = await app.operator.name();
    const note = noteFrom(form.get('note') ?? '');
    const ids = form.getAll('id');
    if (ids.length === 0)
      throw new Fault('approvals/not-found', 'Nothing is ticked.', { hint: 'Tick the requests to deny.' });
    const to = ids.length === 1 ? (form.get('back') ?? '/approvals') : '/approvals';
    for (const id of ids) {
      const approval = await findApproval(app, id);
      if (place.turns.answer(approval.id, { verdict: 'deny', by, through: 'web', ...note })) continue;
      await deny(app, { approval, by, through: 'web', ...note });
    }
    const text = ids.length === 1 ? 'Denied.' : `${ids.length} requests are denied.`;
    return { to, notice: { kind: 'done', text } };
  },
};
