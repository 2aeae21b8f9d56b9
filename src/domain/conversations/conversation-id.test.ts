import fc from 'fast-check';
import { expect, it } from 'vitest';
import { conversationIdAt, isConversationId, selectConversation } from './conversation-id.ts';

const instant = fc.integer({ min: 0, max: 32 ** 9 - 1 });

it('sorts by time', () => {
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      fc.pre(a < b);
      expect(conversationIdAt(a, 'ffff') < conversationIdAt(b, '0000')).toBe(true);
      expect(isConversationId(conversationIdAt(a, 'ffff'))).toBe(true);
    }),
  );
});

const tea = conversationIdAt(1_790_000_000_000, '0001');
const coffee = conversationIdAt(1_790_000_000_000, '0002');

it('selects by the whole id or any unique part of four characters', () => {
  expect(selectConversation(tea, [tea, coffee])).toBe(tea);
  expect(selectConversation(tea.slice(-4).toUpperCase(), [tea, coffee])).toBe(tea);
});

it.each([
  [tea.slice(-3), 'conversations/bad-id'],
  [tea.slice(0, 8), 'conversations/bad-id'],
  ['zzzz', 'conversations/not-found'],
])('refuses %s', (part, code) => {
  expect(() => selectConversation(part, [tea, coffee])).toThrow(expect.objectContaining({ code }));
});
