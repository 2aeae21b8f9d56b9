/** The text of events that people search and read. */

import type { ConversationEvent } from './event.ts';

/** What `grep` calls the kinds of text. */
export type TextKind = 'user' | 'assistant' | 'reasoning' | 'tool';

export interface EventText {
  readonly kind: TextKind;
  readonly turn: number;
  readonly text: string;
}

/** Every text of a log with its turn, oldest first. Turns are counted from 1; 0 is before the first. */
export function* eventTexts(events: Iterable<ConversationEvent>): Generator<EventText> {
  let turn = 0;
  for (const event of events) {
    if (event.type === 'turn_start') turn = event.turn;
    const found = textOf(event);
    if (found && found.text !== '') yield { ...found, turn };
  }
}

function textOf(event: ConversationEvent): Omit<EventText, 'turn'> | undefined {
  switch (event.type) {
    case 'user_message':
      return { kind: 'user', text: event.text };
    case 'assistant_message':
      return { kind: 'assistant', text: event.text };
    case 'reasoning':
      return { kind: 'reasoning', text: event.text };
    case 'tool_call':
      return { kind: 'tool', text: `${event.name} ${JSON.stringify(event.arguments)}` };
    case 'tool_result':
      return { kind: 'tool', text: resultText(event.outcome) };
    default:
      return undefined;
  }
}

function resultText(outcome: Extract<ConversationEvent, { type: 'tool_result' }>['outcome']): string {
  if (outcome.type === 'success') return outcome.text;
  return outcome.type === 'error' ? outcome.message : outcome.question.text;
}
