/** What comes of a call, as a client gets it: text for a reader, the same as data, and never more than fits. */

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { JsonObject } from '../../base/json.ts';
import { utf8Length } from '../../base/text.ts';
import type { ToolOutcome, ToolResult } from '../../domain/tools/tool.ts';

/** Of text. Clients warn of more than some ten thousand tokens, and cut what is longer without a word. */
export const RESULT_LIMIT_BYTES = 32 * 1024;

/** `outcome` has been shortened; `wasCut` says whether anything is missing. */
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

/** The same text takes more as JSON. */
const DATA_LIMIT_BYTES = 2 * RESULT_LIMIT_BYTES;

function errorText(outcome: Exclude<ToolOutcome, { type: 'success' }>): string {
  if (outcome.type === 'error') return [outcome.message, ...outcome.trace].join('\n');
  return `The tool has a question that nobody can be asked: ${outcome.question.text}`;
}
