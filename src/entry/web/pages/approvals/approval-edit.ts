import { neutralise } from '../../../../base/terminal-text.ts';
import { deny, findApproval, noteFrom } from '../../../../domain/approvals/decide-approval.ts';
import { describeApproval } from '../../../../domain/approvals/describe-reason.ts';
import {
  editableText,
  editedNote,
  editedRequest,
} from '../../../../domain/approvals/operator/edit-request.ts';
import { seekApproval } from '../../../../domain/approvals/seek-approval.ts';
import { type Action, page, type Visit } from '../../page.ts';
import { address, changeForm, type Html, hidden, html, NOTHING } from '../../parts/html.ts';
import { shownApproval } from './approval-shown.ts';

export const editApprovalPage = page({
  path: '/approvals/edit',
  section: 'approvals',
  title: () => 'Edit the request',
  async load({ app, query }: Visit) {
    const approval = await findApproval(app, query.get('id') ?? '');
    const { id, digest } = approval;
    return { id, digest, ...describeApproval(approval), editable: editableText(approval) ?? null };
  },
  view: ({ id, digest, question, editable }, visit) => html`
    <div class="top"><div>
      <p class="quiet"><a href="/approvals">Approvals</a> / <a href="${address('/approvals/show', { id })}">${neutralise(question)}</a></p>
      <h1>Edit the request</h1></div></div>
    <p class="lead">What you write becomes a request of its own, which you then approve. This one is denied, with a word about it.</p>
    ${editable === null ? html`<p>This request cannot be edited.</p>` : editForm({ id, digest, ...editable }, visit)}
    ${visit.canChange ? NOTHING : html`<p>This page is read only.</p>`}`,
});

interface Edited {
  readonly id: string;
  readonly digest: string;
  readonly label: string;
  readonly text: string;
}

function editForm({ id, digest, label, text }: Edited, visit: Visit): Html {
  return changeForm(
    visit,
    '/approvals/edit',
    html`${hidden('id', id)}${hidden('digest', digest)}${hidden('back', address('/approvals/edit', { id }))}
    <label>${label} <textarea name="text" class="code" required spellcheck="false">${'\n'}${text}</textarea></label>
    <div class="row"><button class="main">Look at it</button><a href="${address('/approvals/show', { id })}">Cancel</a></div>`,
    'stack edit',
  );
}

export const editApprovalAction: Action = {
  path: '/approvals/edit',
  decides: true,
  async run(visit, form) {
    const { app, place, signal } = visit;
    const approval = await shownApproval(visit, form);
    const request = editedRequest(approval, form.get('text') ?? '');
    const made = await seekApproval(app, request, signal);
    const to = address('/approvals/show', { id: made.approval.id });
    if (made.approval.id === approval.id)
      return { to, notice: { kind: 'problem', text: 'Nothing is changed.' } };
    const by = await app.operator.name();
    const note = noteFrom(editedNote(request));
    if (!place.turns.answer(approval.id, { verdict: 'deny', by, through: 'web', ...note }))
      await deny(app, { approval, by, through: 'web', ...note });
    return { to };
  },
};
