import type { Json } from '../../src/base/json.ts';
import type { Approval } from '../../src/domain/approvals/approval.ts';
import type { Approver, ApproverAnswer } from '../../src/domain/approvals/approver.ts';
import type { Questioner } from '../../src/domain/tools/questioner.ts';
import type { ToolQuestion } from '../../src/domain/tools/tool.ts';

/** Nobody can be asked: requests stay pending until an operator decides elsewhere. */
export const absentApprover: Approver = {
  isThere: async () => false,
  asksAgain: async () => false,
  ask: async () => ({ verdict: 'nobody' }),
};

/** Gives the answers in order, then nobody is there; records what it was asked. */
export function scriptedApprover(...answers: readonly ScriptedAnswer[]): Approver & { asked: Approval[] } {
  const asked: Approval[] = [];
  return {
    asked,
    isThere: async () => asked.length < answers.length,
    asksAgain: async () => true,
    async ask(approval) {
      const answer = answers[asked.length];
      asked.push(approval);
      return typeof answer === 'function' ? answer(approval) : (answer ?? { verdict: 'nobody' });
    },
  };
}

type ScriptedAnswer = ApproverAnswer | ((approval: Approval) => Promise<ApproverAnswer>);

/** Gives the answers in order, then nobody is there; records what it was asked. */
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
