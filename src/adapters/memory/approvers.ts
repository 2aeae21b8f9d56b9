import type { Json } from '../../base/json.ts';
import type { Approval } from '../../domain/approvals/approval.ts';
import type { Approver, ApproverAnswer } from '../../domain/approvals/approver.ts';
import type { Questioner } from '../../domain/tools/questioner.ts';
import type { ToolQuestion } from '../../domain/tools/tool.ts';

/** Nobody can be asked: whatever is requested stays pending until an operator decides elsewhere. */
export const absentApprover: Approver = {
  isThere: async () => false,
  ask: async () => ({ verdict: 'nobody' }),
};

/** Answers one after the other, then nobody is there; keeps what it was asked. */
export function scriptedApprover(...answers: readonly ScriptedAnswer[]): Approver & { asked: Approval[] } {
  const asked: Approval[] = [];
  return {
    asked,
    isThere: async () => asked.length < answers.length,
    async ask(approval) {
      const answer = answers[asked.length];
      asked.push(approval);
      return typeof answer === 'function' ? answer(approval) : (answer ?? { verdict: 'nobody' });
    },
  };
}

type ScriptedAnswer = ApproverAnswer | ((approval: Approval) => Promise<ApproverAnswer>);

/** Answers one after the other, then nobody is there; keeps what it was asked. */
export function scriptedQuestioner(...answers: readonly Json[]): Questioner & { asked: ToolQuestion[] } {
  const asked: ToolQuestion[] = [];
  return {
    asked,
    isThere: async () => asked.length < answers.length,
    async ask(_, question, signal) {
      signal.throwIfAborted();
      asked.push(question);
      return answers[asked.length - 1];
    },
  };
}
