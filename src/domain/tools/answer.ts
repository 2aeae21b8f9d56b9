import type { Json, JsonObject } from '../../base/json.ts';
import type { AnswerType } from './tool.ts';

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
