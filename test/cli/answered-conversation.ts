import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import type { Sandbox } from './ken.ts';

/** Writes a conversation with these questions and what a model answered; another number of turns is another one. */
export function writeAnswered(
  { write }: Pick<Sandbox, 'write'>,
  ...turns: readonly (readonly [question: string, answer: string])[]
): void {
  const at = '2026-01-01T00:00:00.000Z';
  const events = turns.flatMap(([question, answer], index) => [
    { type: 'turn_start', at, turn: index + 1 },
    { type: 'user_message', at, text: question },
    { type: 'assistant_message', at, text: answer, model: 'lab/model', finish: 'stop' },
  ]);
  const directory = `.ken/conversations/${conversationIdAt(Date.UTC(2026, 0, turns.length), 'abcd')}`;
  write(`${directory}/metadata.json`, JSON.stringify({ created_at: at, active_at: at }));
  write(`${directory}/base_config.json`, '{}');
  write(`${directory}/events.jsonl`, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
}
