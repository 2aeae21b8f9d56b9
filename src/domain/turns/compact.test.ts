import { expect, it } from 'vitest';
import { scriptedModel } from '../../../test/doubles/scripted-model.ts';
import type { ConversationEvent } from '../conversations/event.ts';
import { compactableTurns, compaction, outlineTurns, summariseTurns } from './compact.ts';
import { historyMessages } from './history-messages.ts';

const at = '2026-01-01T00:00:00.000Z';
const turn = (number: number): ConversationEvent[] => [
  { type: 'turn_start', at, turn: number },
  { type: 'user_message', at, text: `question ${number}` },
  { type: 'assistant_message', at, text: `answer ${number}`, model: 'x/y', finish: 'stop' },
];
const three = [1, 2, 3].flatMap(turn);
const signal = new AbortController().signal;

it('shows models the summary in place of its turns, and keeps the log whole', () => {
  const events = [...three, compaction({ from: 1, to: 2 }, 'In short.', at), ...turn(4)];
  expect(historyMessages(events)).toEqual([
    { role: 'user', text: 'Summary of turns 1 to 2 of this conversation:\n\nIn short.' },
    { role: 'user', text: 'question 3' },
    { role: 'assistant', parts: [{ type: 'text', text: 'answer 3' }] },
    { role: 'user', text: 'question 4' },
    { role: 'assistant', parts: [{ type: 'text', text: 'answer 4' }] },
  ]);
});

it('lets a later compaction cover an earlier one', () => {
  const first = compaction({ from: 1, to: 1 }, 'First.', at);
  const events = [...three, first, compaction({ from: 1, to: 2 }, 'Both.', at)];
  expect(historyMessages(events)[0]).toMatchObject({
    text: 'Summary of turns 1 to 2 of this conversation:\n\nBoth.',
  });
});

it('covers all but the last turns, and says when that is nothing', () => {
  expect(compactableTurns(three, 1)).toEqual({ from: 1, to: 2 });
  const hint = 'Give --keep a smaller number.';
  for (const [events, keep, message, said] of [
    [three, 3, 'The conversation has 3 turns, and the last 3 are not compacted.', hint],
    [
      turn(1),
      1,
      'The conversation has 1 turn, and the last one is never compacted.',
      'Compact it once it has more turns.',
    ],
    [[], 0, 'There are no turns yet.', undefined],
  ] as const) {
    const refusal = { code: 'conversations/nothing-to-compact', message, hint: said };
    expect(() => compactableTurns(events, keep)).toThrow(expect.objectContaining(refusal));
  }
});

it('asks the model about those turns alone', async () => {
  const model = scriptedModel([
    { type: 'text-delta', text: ' In short. ' },
    { type: 'finish', finish: 'stop' },
  ]);
  expect(await summariseTurns(model, three, { from: 1, to: 1 }, signal)).toBe('In short.');
  expect(
    model.requests[0]?.messages.map((message) => ('text' in message ? message.text : message.role))[0],
  ).toBe('question 1');
  expect(model.requests[0]?.messages).toHaveLength(3);
});

it('takes no summary that broke off', async () => {
  const model = scriptedModel([
    { type: 'text-delta', text: 'Half' },
    { type: 'finish', finish: 'truncated' },
  ]);
  await expect(summariseTurns(model, three, { from: 1, to: 1 }, signal)).rejects.toMatchObject({
    code: 'models/dropped',
  });
});

it('outlines without a model', () => {
  expect(outlineTurns(three, { from: 2, to: 2 })).toBe('Turn 2:\n- asked: question 2\n- answered: answer 2');
});
