/** How the kind of answer that a question wants is written. */

import { isJsonList, type Json, memberOf, parseJson } from '../../base/json.ts';
import type { AnswerType } from './tool.ts';

/** `boolean`, `text`, or the JSON of a select with at least one option; undefined for anything else. */
export function parseAnswerType(text: string): AnswerType | undefined {
  return answerTypeFromJson(text) ?? answerTypeFromJson(parseJson(text));
}

/** The same as part of a larger JSON value; capitalised names, as some tools write them, are understood too. */
export function answerTypeFromJson(value: Json | undefined): AnswerType | undefined {
  if (value === 'boolean' || value === 'Boolean') return 'boolean';
  if (value === 'text' || value === 'Text') return 'text';
  const options = memberOf(memberOf(value, 'select') ?? memberOf(value, 'Select'), 'options');
  if (!isJsonList(options) || options.length === 0) return undefined;
  const texts = options.filter((option) => typeof option === 'string');
  if (texts.length < options.length) return undefined;
  return { select: { options: texts.map((option) => option.toWellFormed()) } };
}

/** What `parseAnswerType` reads. */
export function formatAnswerType(answerType: AnswerType): string {
  return typeof answerType === 'string' ? answerType : JSON.stringify(answerType);
}
