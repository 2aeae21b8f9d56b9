import type { ConversationEvent, ToolResultEvent } from '../conversations/event.ts';
import { failure } from '../tools/tool.ts';

/** Results for calls that a crash left without one; written to the log before anything else. */
export function interruptedCalls(events: readonly ConversationEvent[], at: string): ToolResultEvent[] {
  const answered = new Set(events.filter((event) => event.type === 'tool_result').map(({ id }) => id));
  const open = events.filter((event) => event.type === 'tool_call').filter(({ id }) => !answered.has(id));
  return open.map(({ id, name }) => ({ type: 'tool_result', at, id, name, outcome: failure(INTERRUPTED) }));
}

export const INTERRUPTED = 'This call was interrupted before it had a result.';
