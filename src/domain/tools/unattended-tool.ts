/** Tools of ken's own that run without approval; where a person decides, they ask themselves. */

import { Fault, type FaultCode } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { singleLine } from '../../base/terminal-text.ts';
import { type CallWatcher, failure, success, type Tool, type ToolResult } from './tool.ts';

/** The parts of a tool that a model sees. */
export interface ToolShape {
  readonly description: string;
  readonly properties: JsonObject;
  readonly required: readonly string[];
  /** The properties of its answer's data; absent for a tool that answers in text alone. */
  readonly output?: JsonObject;
  /** The properties that every answer has. */
  readonly always?: readonly string[];
}

type FaultArea = FaultCode extends `${infer Area}/${string}` ? Area : never;

export interface UnattendedTool extends Pick<Tool, 'name' | 'reach'> {
  readonly shape: ToolShape;
  /** The areas of Faults that are for the model to put right; the rest is the host's. */
  readonly faults: readonly FaultArea[];
  /** How a call is shown to a person. */
  shown(given: JsonObject): string;
  call(given: JsonObject, signal: AbortSignal, watcher: CallWatcher): Promise<ToolResult>;
}

export function unattendedTool({ name, reach, shape, faults, shown, call }: UnattendedTool): Tool {
  return {
    name,
    description: shape.description,
    parameters: parametersOf(shape),
    ...outputOf(shape),
    reach,
    run: 'unattended',
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

/** JSON Schema of the arguments. */
export function parametersOf({ properties, required }: ToolShape): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function refusal({ message, hint }: Fault): ToolResult {
  return { outcome: failure(singleLine(message), hint === undefined ? [] : [singleLine(hint)]) };
}
