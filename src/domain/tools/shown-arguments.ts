import type { JsonObject } from '../../base/json.ts';
import type { Tool } from './tool.ts';

const FORMAT_MS = 1_000;

/** How a tool would show a call with these arguments; undefined when it has nothing to say, or not in time. */
export async function shownArguments(tool: Tool, given: JsonObject): Promise<string | undefined> {
  const request = { action: 'format-arguments', arguments: given, answers: {} } as const;
  try {
    const { outcome } = await tool.call(request, AbortSignal.timeout(FORMAT_MS));
    return outcome.type === 'success' && outcome.text !== '' ? outcome.text : undefined;
  } catch {
    return undefined;
  }
}
