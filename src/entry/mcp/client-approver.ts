import { type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { neutralise } from '../../base/terminal-text.ts';
import type { Approval } from '../../domain/approvals/approval.ts';
import type { Approver, ApproverAnswer } from '../../domain/approvals/approver.ts';
import { approvalQuestion } from '../../domain/approvals/describe-reason.ts';
import type { Caller } from './caller.ts';

/** Asks only through a client that the operator's configuration trusts: others may be assistants that answer. */
export function clientApprover(caller: Caller, trustedClients: readonly string[]): Approver {
  const isTrusted = caller.hasForms && trustedClients.includes(caller.name);
  return {
    isThere: async () => isTrusted,
    asksAgain: async () => false,
    async ask(approval, signal): Promise<ApproverAnswer> {
      signal.throwIfAborted();
      const response = inputResponse(caller.responses, approval.id);
      if (response.kind !== 'elicit') throw new FormNeeded(approval);
      const verdict = verdictOf(response.action, response.content?.approve);
      return verdict === 'nobody' ? { verdict } : { verdict, by: caller.name, through: 'mcp' };
    },
  };
}

/** A form that came back without a plain yes or no decides nothing. */
function verdictOf(action: string, approve: unknown): ApproverAnswer['verdict'] {
  if (action === 'decline' || (action === 'accept' && approve === false)) return 'deny';
  return action === 'accept' && approve === true ? 'approve' : 'nobody';
}

/** The call stops until the client has shown a form; the client repeats it with the response. */
export class FormNeeded extends Error {
  readonly approval: Approval;

  constructor(approval: Approval) {
    super(`Approval ${approval.id} is to be asked for.`);
    this.name = 'FormNeeded';
    this.approval = approval;
  }
}

export function formFor(approval: Approval): InputRequiredResult {
  const form = inputRequired.elicit({
    message: neutralise(approvalQuestion(approval)),
    requestedSchema: {
      type: 'object',
      properties: {
        approve: { type: 'boolean', title: 'Approve', description: 'This request, once.', default: false },
      },
      required: ['approve'],
    },
  });
  return inputRequired({ inputRequests: { [approval.id]: form } });
}
