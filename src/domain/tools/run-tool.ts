/** One call from beginning to end: a tool that asks is run again with the answers gathered so far. */

import type { Json, JsonObject } from '../../base/json.ts';
import { failure, type Question, type Tool, type ToolRequest, type ToolResult } from './tool.ts';

/** Undefined when nobody has an answer. */
export type AnswerQuestion = (asked: AskedQuestion, signal: AbortSignal) => Promise<Json | undefined>;

export interface AskedQuestion {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly question: Question;
}

/** A tool may ask several questions, but not for ever. */
const MAX_QUESTIONS = 20;

export async function runTool(
  tool: Tool,
  { arguments: given, noteDecision }: Pick<ToolRequest, 'arguments' | 'noteDecision'>,
  answerQuestion: AnswerQuestion,
  signal: AbortSignal,
): Promise<ToolResult> {
  const answers: Record<string, Json> = {};
  for (let asked = 0; ; asked++) {
    const result = await tool.call({ action: 'run', arguments: given, answers, noteDecision }, signal);
    if (result.outcome.type !== 'needs-input') return result;
    const { question } = result.outcome;
    const answer =
      asked < MAX_QUESTIONS ? await answerQuestion({ tool, arguments: given, question }, signal) : undefined;
    if (answer === undefined) {
      return { ...result, outcome: failure(`Nobody answered the tool's question: ${question.text}`) };
    }
    answers[question.id] = answer;
  }
}
