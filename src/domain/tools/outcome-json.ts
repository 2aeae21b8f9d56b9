/** An outcome as JSON: what a tool prints, and what is kept of it. */

import {
  isDeeperThan,
  isJsonList,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
} from '../../base/json.ts';
import type { AnswerType, ToolOutcome, ToolQuestion } from './tool.ts';

export function outcomeToJson(outcome: ToolOutcome): JsonObject {
  if (outcome.type === 'success') return { type: 'success', content: outcome.text };
  if (outcome.type === 'error') return { ...outcome };
  const { answerType, ...question } = outcome.question;
  return { type: 'needs-input', question: { ...question, 'answer-type': answerType } };
}

/**
 * The outcome that a value stands for; undefined for any other value, however similar: a tool may well print JSON of
 * its own. `needs_input`, `answer_type` and capitalised answer types are understood too.
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

/** Half a character, which JSON can spell, would not survive being written anywhere. */
function textMember(value: Json | undefined, name: string): string | undefined {
  const text = memberOf(value, name);
  return typeof text === 'string' ? text.toWellFormed() : undefined;
}

function textsFrom(value: Json): string[] | undefined {
  if (!isJsonList(value)) return undefined;
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length === value.length ? texts.map((text) => text.toWellFormed()) : undefined;
}

/** `boolean`, `text`, or the JSON of a select with at least one option; undefined for anything else. */
export function parseAnswerType(text: string): AnswerType | undefined {
  return answerTypeFromJson(text) ?? answerTypeFromJson(parseJson(text));
}

/** The same as part of a larger JSON value; capitalised names, as some tools write them, are understood too. */
function answerTypeFromJson(value: Json | undefined): AnswerType | undefined {
  if (value === 'boolean' || value === 'Boolean') return 'boolean';
  if (value === 'text' || value === 'Text') return 'text';
  const options = memberOf(memberOf(value, 'select') ?? memberOf(value, 'Select'), 'options');
  if (!isJsonList(options) || options.length === 0) return undefined;
  const texts = options.filter((option) => typeof option === 'string');
  if (texts.length < options.length) return undefined;
  return { select: { options: texts.map((option) => option.toWellFormed()) } };
}

/** Writes an answer type so that `parseAnswerType` reads it. */
export function formatAnswerType(answerType: AnswerType): string {
  return typeof answerType === 'string' ? answerType : JSON.stringify(answerType);
}
