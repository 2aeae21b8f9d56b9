import { type JsonObject, parseJson } from '../../base/json.ts';
import { outcomeFromJson } from '../../domain/tools/outcome-json.ts';
import { failure, type Outcome } from '../../domain/tools/tool.ts';
import type { WitOutcome } from './loaded-component.ts';

/** A question that nobody could answer is the tool's mistake, and told as such. */
export function outcomeFromWit(outcome: WitOutcome): Outcome {
  return outcomeFromJson(asJson(outcome)) ?? failure('The tool asked a question that nobody could answer.');
}

/** The contract has the kind of answer and the default as JSON in a text; a bare word stands for itself. */
function asJson(outcome: WitOutcome): JsonObject {
  if (outcome.tag === 'success') return { type: 'success', content: outcome.val };
  if (outcome.tag === 'error') return { type: 'error', ...outcome.val };
  const { id, text, answerType, default: fallback } = outcome.val;
  const question = { id, text, 'answer-type': parseJson(answerType) ?? answerType };
  if (fallback === undefined) return { type: 'needs-input', question };
  return { type: 'needs-input', question: { ...question, default: parseJson(fallback) ?? fallback } };
}
