import type { Json, JsonObject } from '../../base/json.ts';
import type { AnswerType, ToolQuestion } from './tool.ts';

/** Puts questions to the person who is there. */
export interface Questioner {
  /** Whether there is anybody to ask. */
  isThere(): Promise<boolean>;
  /**
   * Shows who asks and the question, whole and inert, and waits for an answer that `isAnswer` takes; one question
   * at a time. Undefined: the person ended the input instead. Rejects when `signal` aborts or the person breaks off.
   */
  ask(asker: string, question: ToolQuestion, signal: AbortSignal): Promise<Json | undefined>;
}

/** Whether an answer, wherever it came from, is of the kind that the question wants. */
export function isAnswer(answerType: AnswerType, answer: Json): boolean {
  if (answerType === 'boolean') return typeof answer === 'boolean';
  if (answerType === 'text') return typeof answer === 'string';
  return typeof answer === 'string' && answerType.select.options.includes(answer);
}

/** For asking a model: the JSON Schema of the answers that `isAnswer` takes. */
export function answerSchema(answerType: AnswerType): JsonObject {
  if (answerType === 'boolean') return { type: 'boolean' };
  if (answerType === 'text') return { type: 'string' };
  return { type: 'string', enum: answerType.select.options };
}
