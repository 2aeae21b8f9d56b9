/** ken's own tools; unless they say otherwise they run without approval, or seek it themselves. */

import { Fault, type FaultCode } from '../../base/fault.ts';
import { asText, isJsonList, type JsonObject } from '../../base/json.ts';
import { singleLine } from '../../base/terminal-text.ts';
import { utf8Length } from '../../base/text.ts';
import { type CallWatcher, failure, success, type Tool, type ToolResult } from './tool.ts';

export interface ToolShape {
  readonly description: string;
  readonly properties: JsonObject;
  readonly required: readonly string[];
  /** Properties of the answer's data; absent for a tool that answers in text only. */
  readonly output?: JsonObject;
  readonly always?: readonly string[];
  /** Earlier names of parameters, which are still accepted. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Parameters that have a limit of their own; texts of others have at most 8 KiB. */
  readonly long?: readonly string[];
}

type FaultArea = FaultCode extends `${infer Area}/${string}` ? Area : never;

export interface UnattendedTool extends Pick<Tool, 'name' | 'reach'> {
  readonly shape: ToolShape;
  /** `unattended` when absent. */
  readonly run?: Tool['run'];
  /** Areas of Faults that the model can correct; others are failures of the host. */
  readonly faults: readonly FaultArea[];
  shown(given: JsonObject): string;
  call(given: JsonObject, signal: AbortSignal, watcher: CallWatcher): Promise<ToolResult>;
}

export function unattendedTool({
  name,
  reach,
  shape,
  faults,
  run = 'unattended',
  shown,
  call,
}: UnattendedTool): Tool {
  return {
    name,
    description: shape.description,
    parameters: parametersOf(shape),
    ...(shape.aliases && { aliases: shape.aliases }),
    ...outputOf(shape),
    reach,
    run,
    async call({ action, arguments: given, ...watcher }, signal) {
      if (action === 'format-arguments') return { outcome: success(shown(given)) };
      const tooLong = tooLongIn(given, shape.long);
      if (tooLong !== undefined) return { outcome: failure(tooLong) };
      try {
        return await call(given, signal, watcher);
      } catch (error) {
        if (!(error instanceof Fault) || !faults.some((area) => error.code.startsWith(`${area}/`)))
          throw error;
        return refusal(error);
      }
    },
  };
}

const MAX_TEXT_BYTES = 8 * 1024;
const MAX_ITEMS = 200;

/** The reason why arguments are too large; undefined for others. `long` have a limit of their own. */
export function tooLongIn(given: JsonObject, long: readonly string[] = []): string | undefined {
  for (const [name, value] of Object.entries(given)) {
    if (isJsonList(value) && value.length > MAX_ITEMS) return `"${name}" has more than ${MAX_ITEMS} items.`;
    const isTooLong = [value].flat().some((each) => utf8Length(asText(each) ?? '') > MAX_TEXT_BYTES);
    if (!isTooLong || long.includes(name)) continue;
    return name === 'question'
      ? 'The question is longer than 8 KiB. Ask in fewer words.'
      : `"${name}" is longer than 8 KiB.`;
  }
  return undefined;
}

function outputOf({ output, always }: ToolShape): Pick<Tool, 'output'> {
  if (!output) return {};
  const required = always && { required: always };
  return { output: { type: 'object', properties: output, ...required, additionalProperties: false } };
}

export function parametersOf({
  properties,
  required,
}: Pick<ToolShape, 'properties' | 'required'>): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function refusal(fault: Fault): ToolResult {
  const hint = assistantHint(fault.hint);
  return { outcome: failure(singleLine(fault.message), hint === undefined ? [] : [singleLine(hint)]) };
}

/**
 * The sentences of a hint that name no command and no option of the command line: an assistant has neither, and an
 * option could show it the way around a check. Undefined when none is left.
 */
export function assistantHint(hint: string | undefined): string | undefined {
  const kept = hint?.split(/(?<=[.!?])\s+|;\s+/).filter((sentence) => !COMMAND_LINE.test(sentence)) ?? [];
  const said = kept.map((sentence) => asSentence(sentence)).join(' ');
  return said === '' ? undefined : said;
}

function asSentence(text: string): string {
  const capital = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?:\u2026]$/.test(text) ? capital : `${capital}.`;
}

const COMMAND_LINE = /(?:^|[\s"'`(])--?[a-z][\w-]*|["'`]ken [a-z]|\bken [a-z]+ [A-Z]{2}/;
