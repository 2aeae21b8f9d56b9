import type { Json, JsonObject } from '../../base/json.ts';
import {
  type CallWatcher,
  failure,
  type Tool,
  type ToolQuestion,
  type ToolRequest,
  type ToolResult,
} from './tool.ts';

/** Returns undefined when there is no answer. */
export type AnswerQuestion = (asked: AskedQuestion, signal: AbortSignal) => Promise<Json | undefined>;

export interface ToolCall {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly labels?: ToolRequest['labels'] | undefined;
}

export interface AskedQuestion extends Omit<ToolCall, 'labels'> {
  readonly question: ToolQuestion;
}

export interface RunPorts extends CallWatcher {
  readonly answerQuestion: AnswerQuestion;
}

/** A tool may ask several questions, but not endlessly. */
const MAX_QUESTIONS = 20;

export async function runTool(
  { answerQuestion, onProgress, recordDecision }: RunPorts,
  { tool, arguments: given, labels }: ToolCall,
  signal: AbortSignal,
): Promise<ToolResult> {
  // A tool may name an id `__proto__`.
  const answers: Record<string, Json> = Object.create(null);
  const watcher = { recordDecision, ...(onProgress && { onProgress }) };
  const request = {
    action: 'run' as const,
    arguments: given,
    answers,
    ...(labels && { labels }),
    ...watcher,
  };
  for (let asked = 0; ; asked++) {
    const result = await tool.call(request, signal);
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
