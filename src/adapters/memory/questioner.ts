import type { Json } from '../../base/json.ts';
import type { Questioner } from '../../domain/tools/questioner.ts';
import type { ToolQuestion } from '../../domain/tools/tool.ts';

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
