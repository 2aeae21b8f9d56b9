import { describe, expect, it } from 'vitest';
import { type ConversationId, conversationIdAt } from '../../conversations/conversation-id.ts';
import type { SharedConversation, SharedConversations } from './shared-conversations.ts';

const START = 1_790_000_000_000;

export function sharedAt(minute: number, title: string): SharedConversation {
  const time = START + minute * 60_000;
  const metadata = {
    title,
    createdAt: time,
    activeAt: time,
    labels: new Map([['topic', 'tea']]),
    others: {},
  };
  return { id: conversationIdAt(time, '0000'), metadata, digest: `${title.length}` };
}

/** The promises of every store of shared conversations. `open` makes an empty one. */
export function itSharesConversations(name: string, open: () => Promise<SharedConversations>): void {
  describe(`shared conversations: ${name}`, () => {
    it('gives back what was shared, any character included', async () => {
      const store = await open();
      const [tea, boats] = [sharedAt(1, 'Tea \0 ☕'), sharedAt(2, 'Boats')];
      await store.put(boats, 'one\n');
      await store.put(tea, '{"text":"a\0b\ud83d\ude80"}\n');
      expect(await store.get(tea.id)).toEqual(tea);
      expect(await store.lines(tea.id)).toBe('{"text":"a\0b\ud83d\ude80"}\n');
      expect(await store.list()).toEqual([tea, boats]);
    });

    it('has nothing to say about what is not there', async () => {
      const store = await open();
      const { id } = sharedAt(1, 'x');
      expect([await store.list(), await store.get(id), await store.lines(id)]).toEqual([
        [],
        undefined,
        undefined,
      ]);
      expect(await store.get('../../etc' as ConversationId)).toBeUndefined();
      expect(await store.remove(id)).toBe(false);
    });

    it('replaces how it was shared before, and takes it back', async () => {
      const store = await open();
      const [before, after] = [sharedAt(1, 'before'), sharedAt(1, 'after')];
      await store.put(before, 'a\n');
      await store.put(sharedAt(2, 'other'), 'o\n');
      await store.put(after, 'a\nb\n');
      expect([await store.get(after.id), await store.lines(after.id)]).toEqual([after, 'a\nb\n']);
      expect(await store.remove(after.id)).toBe(true);
      expect(await store.remove(after.id)).toBe(false);
      expect((await store.list()).map(({ metadata }) => metadata.title)).toEqual(['other']);
    });
  });
}
