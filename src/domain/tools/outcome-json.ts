import { isDeeperThan, isJsonList, type Json, type JsonObject, memberOf } from '../../base/json.ts';
import type { AnswerType, ToolOutcome, ToolQuestion } from './tool.ts';

export function outcomeToJson(outcome: ToolOutcome): JsonObject {
  if (outcome.type === 'success') return { type: 'success', content: outcome.text };
  if (outcome.type === 'error') return { ...outcome };
  const { answerType, ...question } = outcome.question;
  return { type: 'needs-input', question: { ...question, 'answer-type': answerType } };
}

/**
 * Undefined for other JSON, however similar, since a tool may print JSON of its own. Also understands `needs_input`,
 * `answer_type` and capitalised answer types.
 */
export function outcomeFromJson(value: Json | undefined): ToolOutcome | undefined {
  switch (memberOf(value, 'type')) {
    case 'success':
      return successFrom(value);
    case 'error':
      return errorFrom(value);
    case 'needs-input':
    case 'needs_input':
      return needsInputFrom(memberOf(value, 'question'));
    default:
      return undefined;
  }
}

function successFrom(value: Json | undefined): ToolOutcome | undefined {
  const text = textMember(value, 'content');
  return text === undefined ? undefined : { type: 'success', text };
}

function errorFrom(value: Json | undefined): ToolOutcome | undefined {
  const message = textMember(value, 'message');
  const trace = textsFrom(memberOf(value, 'trace') ?? []);
  const transient = memberOf(value, 'transient') ?? false;
  if (message === undefined || trace === undefined || typeof transient !== 'boolean') return undefined;
  return { type: 'error', message, trace, transient };
}

function needsInputFrom(value: Json | undefined): ToolOutcome | undefined {
  const id = textMember(value, 'id');
  const text = textMember(value, 'text');
  const answerType = answerTypeFromJson(memberOf(value, 'answer-type') ?? memberOf(value, 'answer_type'));
  if (id === undefined || text === undefined || answerType === undefined) return undefined;
  const question: ToolQuestion = { id, text, answerType };
  const fallback = memberOf(value, 'default');
  if (fallback === undefined) return { type: 'needs-input', question };
  if (isDeeperThan(fallback, MAX_DEPTH)) return undefined;
  return { type: 'needs-input', question: { ...question, default: fallback } };
}

const MAX_DEPTH = 32;

/** Rejects lone surrogates, which cannot be written as UTF-8. */
function textMember(value: Json | undefined, name: string): string | undefined {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text.toWellFormed() : undefined;
}

function textsFrom(value: Json): string[] | undefined {
  if (!isJsonList(value)) return undefined;
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length === value.length ? texts.map((text) => text.toWellFormed()) : undefined;
}

/** `boolean`, `text`, or a select with at least one option; capitalised names, as some tools write them, are read too. */
export function answerTypeFromJson(value: Json | undefined): AnswerType | undefined {
  if (value === 'boolean' || value === 'Boolean') return 'boolean';
  if (value === 'text' || value === 'Text') return 'text';
  const options = memberOf(memberOf(value, 'select') ?? memberOf(value, 'Select'), 'options');
  if (!isJsonList(options) || options.length === 0) return undefined;
  const texts = options.filter((option) => typeof option === 'string');
  if (texts.length < options.length) return undefined;
  return { select: { options: texts.map((option) => option.toWellFormed()) } };
}
