/** ken's own tools; unless they say otherwise they run without approval, or seek it themselves. */

import { Fault, type FaultCode } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { singleLine } from '../../base/terminal-text.ts';
import { type CallWatcher, failure, success, type Tool, type ToolResult } from './tool.ts';

export interface ToolShape {
  readonly description: string;
  readonly properties: JsonObject;
  readonly required: readonly string[];
  /** Properties of the answer's data; absent for a tool that answers in text only. */
  readonly output?: JsonObject;
  readonly always?: readonly string[];
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
    ...outputOf(shape),
    reach,
    run,
    async call({ action, arguments: given, ...watcher }, signal) {
      if (action === 'format-arguments') return { outcome: success(shown(given)) };
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

export function refusal({ message, hint }: Fault): ToolResult {
  return { outcome: failure(singleLine(message), hint === undefined ? [] : [singleLine(hint)]) };
}
