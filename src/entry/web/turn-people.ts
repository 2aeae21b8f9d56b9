/** Asks the person at the page: approvals and questions of tools appear in the turn itself. */

import type { IdSource } from '../../base/ids.ts';
import type { Json } from '../../base/json.ts';
import type { Approver, ApproverAnswer } from '../../domain/approvals/approver.ts';
import { isAnswer, type Questioner } from '../../domain/tools/questioner.ts';
import type { ToolQuestion } from '../../domain/tools/tool.ts';
import type { Turn } from './turns.ts';

export interface AskedQuestion {
  readonly key: string;
  readonly asker: string;
  readonly question: ToolQuestion;
}

/** Waiting callers, by the id of the approval and the key of the question. */
export interface WaitingPeople {
  readonly approvals: Map<string, (answer: ApproverAnswer) => void>;
  readonly questions: Map<string, (answer: Json) => boolean>;
}

interface Asked<Changing extends Turn> {
  readonly turn: Changing;
  readonly people: WaitingPeople;
  change(turn: Changing, fields: Partial<Turn>): void;
}

/** The list of approvals shows the same request, and either place decides it. */
export function pageApprover<Changing extends Turn>({ turn, people, change }: Asked<Changing>): Approver {
  return {
    isThere: async () => true,
    asksAgain: async () => true,
    ask: (approval, signal) =>
      new Promise((resolve, reject) => {
        const done = () => {
          people.approvals.delete(approval.id);
          change(turn, { waiting: turn.waiting.filter(({ id }) => id !== approval.id) });
        };
        people.approvals.set(approval.id, (answer) => {
          done();
          resolve(answer);
        });
        signal.addEventListener('abort', () => {
          done();
          reject(signal.reason);
        });
        change(turn, { waiting: [...turn.waiting, approval] });
      }),
  };
}

export function pageQuestioner<Changing extends Turn>(
  { turn, people, change }: Asked<Changing>,
  ids: IdSource,
): Questioner {
  return {
    isThere: async () => true,
    ask: (asker, question, signal) =>
      new Promise((resolve, reject) => {
        const key = ids.ulid();
        const done = () => {
          people.questions.delete(key);
          change(turn, { questions: turn.questions.filter((each) => each.key !== key) });
        };
        people.questions.set(key, (answer) => {
          if (!isAnswer(question.answerType, answer)) return false;
          done();
          resolve(answer);
          return true;
        });
        signal.addEventListener('abort', () => {
          done();
          reject(signal.reason);
        });
        change(turn, { questions: [...turn.questions, { key, asker, question }] });
      }),
  };
}
