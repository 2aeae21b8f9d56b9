import type { Json, JsonObject } from '../../base/json.ts';
import type { AnswerType, ToolQuestion } from './tool.ts';

export interface Questioner {
  isThere(): Promise<boolean>;
  /**
   * Shows who asks and the whole question, made inert, until an answer fits. Undefined: the person ended the input.
   * Rejects when `signal` aborts or the person breaks off.
   */
  ask(asker: string, question: ToolQuestion, signal: AbortSignal): Promise<Json | undefined>;
}

export function isAnswer(answerType: AnswerType, answer: Json): boolean {
  if (answerType === 'boolean') return typeof answer === 'boolean';
  if (answerType === 'text') return typeof answer === 'string';
  return typeof answer === 'string' && answerType.select.options.includes(answer);
}

/** JSON Schema of the answers that `isAnswer` accepts. */
export function answerSchema(answerType: AnswerType): JsonObject {
  if (answerType === 'boolean') return { type: 'boolean' };
  if (answerType === 'text') return { type: 'string' };
  return { type: 'string', enum: answerType.select.options };
}
