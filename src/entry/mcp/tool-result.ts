/** Formats the result of a call for the client: text, the same as data, within the size limit. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../base/json.ts';
import { utf8Length } from '../../base/text.ts';
import type { ToolOutcome, ToolResult } from '../../domain/tools/tool.ts';

/** Limit of text. Clients warn above some ten thousand tokens and silently cut longer results. */
export const RESULT_LIMIT_BYTES = 32 * 1024;

/** `outcome` is already shortened; `wasCut` says whether anything is missing. */
export function asCallResult({ outcome, data }: ToolResult, wasCut: boolean): CallToolResult {
  if (outcome.type !== 'success') return errorResult(errorText(outcome), data);
  const { text } = outcome;
  return { ...textResult(text), structuredContent: (wasCut ? undefined : fitting(data)) ?? { text } };
}

export function errorResult(text: string, data?: JsonObject): CallToolResult {
  return { ...textResult(text), isError: true, ...(data && { structuredContent: data }) };
}

export function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

function fitting(data: JsonObject | undefined): JsonObject | undefined {
  if (data === undefined) return undefined;
  return utf8Length(JSON.stringify(data)) <= DATA_LIMIT_BYTES ? data : undefined;
}

/** JSON takes more bytes than the same text. */
const DATA_LIMIT_BYTES = 2 * RESULT_LIMIT_BYTES;

function errorText(outcome: Exclude<ToolOutcome, { type: 'success' }>): string {
  if (outcome.type === 'error') return [outcome.message, ...outcome.trace].join('\n');
  return `The tool has a question that nobody can be asked: ${outcome.question.text}`;
}
