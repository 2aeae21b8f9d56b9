import { Fault } from '../../../../base/fault.ts';
import type { Approval } from '../../../../domain/approvals/approval.ts';
import { settledFault } from '../../../../domain/approvals/approval-fault.ts';
import { findApproval } from '../../../../domain/approvals/decide-approval.ts';
import type { Visit } from '../../page.ts';

/** The request that a form is about. Refuses when it is no longer the one that was shown. */
export async function shownApproval({ app }: Visit, form: URLSearchParams): Promise<Approval> {
  const approval = await findApproval(app, form.get('id') ?? '');
  if (approval.state.status !== 'pending') throw settledFault(approval);
  if (approval.digest === form.get('digest')) return approval;
  throw new Fault('approvals/decided', 'The request has changed since it was shown.', {
    hint: 'Read it again and decide then.',
  });
}
