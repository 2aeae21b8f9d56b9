import type { ConversationEvent } from '../conversations/event.ts';
import type { ModelRequest } from './model/model.ts';
import { requestFor, type TurnInput, type TurnTools } from './run-turn.ts';

export function previewRequest(
  tools: Pick<TurnTools, 'definitions'>,
  input: Pick<TurnInput, 'system' | 'maxOutputTokens' | 'message' | 'history'>,
): ModelRequest {
  const asked: ConversationEvent[] = input.message
    ? [{ type: 'user_message', at: '', ...input.message }]
    : [];
  return requestFor(input, tools, [...input.history, ...asked]);
}
