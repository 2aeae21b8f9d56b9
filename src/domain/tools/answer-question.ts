/** Answers a tool's question: from the configuration, by the person, or by the assistant where that is allowed. */

import type { Json } from '../../base/json.ts';
import { isAnswer, type Questioner } from './questioner.ts';
import type { AnswerQuestion, AskedQuestion } from './run-tool.ts';
import type { ToolSettings } from './tool-settings.ts';

export interface AnswerPorts {
  readonly questioner: Questioner;
  /** Absent where there is no assistant. */
  askAssistant?(asked: AskedQuestion, signal: AbortSignal): Promise<Json | undefined>;
}

/** Ignores an answer of the wrong type, wherever it comes from. */
export function answerQuestion(ports: AnswerPorts, settings: readonly ToolSettings[]): AnswerQuestion {
  return async (asked, signal) => {
    const { tool, question } = asked;
    const entry = settings.find(({ name }) => name === tool.name)?.questions[question.id];
    const fitting = (answer: Json | undefined) =>
      answer !== undefined && isAnswer(question.answerType, answer) ? answer : undefined;
    const configured = fitting(entry?.answer);
    if (configured !== undefined) return configured;
    const persons = fitting(await askPerson(ports, asked, signal));
    if (persons !== undefined || entry?.target !== 'assistant') return persons;
    return fitting(await ports.askAssistant?.(asked, signal));
  };
}

async function askPerson(
  { questioner }: AnswerPorts,
  { tool, question }: AskedQuestion,
  signal: AbortSignal,
): Promise<Json | undefined> {
  if (!(await questioner.isThere())) return undefined;
  return questioner.ask(`The tool ${tool.name}`, question, signal);
}
