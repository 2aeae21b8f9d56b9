/** Formats the result of a call for the client: text, the same as data, within the size limit. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import { type JsonObject, withoutNulls } from '../../base/json.ts';
import { cutText, utf8Length } from '../../base/text.ts';
import type { ToolOutcome, ToolResult } from '../../domain/tools/tool.ts';

/** Limit of text. Clients warn above some ten thousand tokens and silently cut longer results. */
export const RESULT_LIMIT_BYTES = 32 * 1024;

/**
 * `outcome` is already shortened; `wasCut` says whether anything is missing. Some clients show a model the text, others
 * the data, so each has everything: the data has the sentence that matters as `text`.
 */
export function asCallResult({ outcome, data }: ToolResult, wasCut: boolean): CallToolResult {
  if (outcome.type !== 'success') return errorResult(errorText(outcome), data);
  const { text } = outcome;
  return {
    ...textResult(text),
    structuredContent: (wasCut ? undefined : standingAlone(text, data)) ?? { text },
  };
}

export function errorResult(text: string, data?: JsonObject): CallToolResult {
  return { ...textResult(text), isError: true, ...(data && { structuredContent: { text, ...data } }) };
}

/** Undefined for data that is missing or too long. A tool that says nothing beside its data has its text there. */
function standingAlone(text: string, data: JsonObject | undefined): JsonObject | undefined {
  if (data === undefined) return undefined;
  const whole = withoutNulls('text' in data || utf8Length(text) > SHORT_BYTES ? data : { text, ...data });
  return utf8Length(JSON.stringify(whole)) <= DATA_LIMIT_BYTES ? whole : undefined;
}

const SHORT_BYTES = 500;

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** JSON takes more bytes than the same text. */
const DATA_LIMIT_BYTES = 2 * RESULT_LIMIT_BYTES;

const MOST_ERROR = 4_000;

function errorText(outcome: Exclude<ToolOutcome, { type: 'success' }>): string {
  if (outcome.type === 'error')
    // What was given may be quoted in it.
    return [cutText(outcome.message, MOST_ERROR), ...outcome.trace].join('\n');
  return `The tool has a question that nobody can be asked: ${outcome.question.text}`;
}
