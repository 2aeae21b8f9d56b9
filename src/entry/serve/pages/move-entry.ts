import { seekApproval } from '../../../domain/approvals/seek-approval.ts';
import { entryId } from '../../../domain/ledger/entry/entry.ts';
import { proposeMove } from '../../../domain/team/visibility/move-entry.ts';
import { type Action, workspaceOf } from '../../web/page.ts';
import { address } from '../../web/parts/html.ts';

/** Proposes to show an entry to more people. Members who may approve see it from now on. */
export const moveAction: Action = {
  path: '/ledger/move',
  async run(visit, form) {
    const app = workspaceOf(visit);
    const request = await proposeMove(app, {
      id: entryId(form.get('id') ?? ''),
      actor: await app.operator.name(),
      workspace: app.workspace.root,
    });
    const { approval } = await seekApproval(app, request, visit.signal);
    return { to: address('/approvals/show', { id: approval.id }) };
  },
};
