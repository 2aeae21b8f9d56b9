import { describe, expect, it } from 'vitest';
import { parseSelector } from '../labels/parse-selector.ts';
import type { Metadata } from './conversation.ts';
import { type ConversationId, conversationIdAt } from './conversation-id.ts';
import type { ConversationEvent } from './event.ts';
import type { ConversationQuery, ConversationStart, ConversationStore } from './store.ts';

const START = 1_790_000_000_000;
const idAt = (minute: number) => conversationIdAt(START + minute * 60_000, '0000');
const all: ConversationQuery = { labels: [], archived: 'with', local: 'with' };
const said = (text: string) => ({
  type: 'user_message' as const,
  at: '2026-01-01T00:00:00.000Z',
  text,
});

function startAt(minute: number, metadata: Partial<Metadata> = {}, more: Partial<ConversationStart> = {}) {
  const time = START + minute * 60_000;
  return {
    id: idAt(minute),
    isLocal: false,
    metadata: { createdAt: time, activeAt: time, labels: new Map<string, string>(), others: {}, ...metadata },
    baseConfig: { assistant: { name: 'ken' } },
    events: [],
    ...more,
  };
}

/** The promises of `ConversationStore`; every adapter's test file calls this once. */
export function itKeepsConversations(name: string, open: () => ConversationStore): void {
  describe(`${name} as a ConversationStore`, () => {
    it('answers undefined for an id that is not there', async () => {
      const store = open();
      const id = idAt(0);
      expect(await store.get(id)).toBeUndefined();
      expect(await store.log(id)).toBeUndefined();
      expect(await store.baseConfig(id)).toBeUndefined();
      expect(await store.write(id)).toBeUndefined();
      expect(await store.get('../../etc' as ConversationId)).toBeUndefined();
      expect(await store.list(all)).toEqual([]);
    });

    it('gives back what was created, keys of others included', async () => {
      const store = open();
      const start = startAt(1, {
        title: 'Tea ☕',
        labels: new Map([['topic', 'tea']]),
        pinnedAt: START,
        parent: idAt(0),
        others: { theirs: { deep: [1] } },
      });
      const foreign: ConversationEvent = { type: 'foreign', content: { type: 'later', at: 'x', more: [1] } };
      await store.create({ ...start, events: [said('hello'), foreign] });
      expect(await store.get(start.id)).toEqual({ id: start.id, isLocal: false, metadata: start.metadata });
      expect(await store.log(start.id)).toEqual({ events: [said('hello'), foreign], unreadable: [] });
      expect(await store.baseConfig(start.id)).toEqual({ assistant: { name: 'ken' } });
    });

    it('never creates over one that is there', async () => {
      const store = open();
      await store.create(startAt(1, { title: 'first' }));
      await expect(store.create(startAt(1, { title: 'second' }))).rejects.toMatchObject({
        code: 'files/exists',
      });
      expect((await store.get(idAt(1)))?.metadata.title).toBe('first');
    });

    it('appends in order, and keeps what other writers appended', async () => {
      const store = open();
      const { id } = await store.create(startAt(1));
      for (const text of ['a', 'b', 'c']) {
        const writer = await store.write(id);
        await writer?.append([said(text), said(`${text}!`)]);
        await writer?.release();
      }
      const texts = (await store.log(id))?.events.map((event) => 'text' in event && event.text);
      expect(texts).toEqual(['a', 'a!', 'b', 'b!', 'c', 'c!']);
    });

    it('scans for what may hold a fragment, however it is written, with the turns around it', async () => {
      const store = open();
      const begin = (turn: number): ConversationEvent => ({ type: 'turn_start', at: said('').at, turn });
      const escaped: ConversationEvent = said('\u001b[1mneedle');
      const events = [begin(1), said('hay'), begin(2), said('a needle "in" hay'), escaped, said('needle')];
      const { id } = await store.create(startAt(1, {}, { events }));
      const found = async (fragment?: string) => [...((await store.scan(id, fragment)) ?? [])];
      expect(await found()).toEqual(events);
      expect(await found('needle')).toEqual(
        expect.arrayContaining([begin(2), events[3], escaped, events[5]]),
      );
      expect((await found('needle')).filter(({ type }) => type === 'turn_start')).toEqual([
        begin(1),
        begin(2),
      ]);
      expect(await store.scan(idAt(0), 'needle')).toBeUndefined();
    });

    it('has one writer at a time, and readers meanwhile', async () => {
      const store = open();
      const { id } = await store.create(startAt(1));
      const writer = await store.write(id);
      await expect(store.write(id)).rejects.toMatchObject({ code: 'conversations/busy' });
      expect((await store.log(id))?.events).toEqual([]);
      await writer?.release();
      const next = await store.write(id);
      expect(next).toBeDefined();
      await next?.release();
    });

    it('replaces events, settings and metadata, and removes', async () => {
      const store = open();
      const start = startAt(1, {}, { events: [said('old')] });
      const { id } = await store.create(start);
      const writer = await store.write(id);
      await writer?.replaceEvents([said('new')]);
      await writer?.replaceBaseConfig({ kb: {} });
      await writer?.putMetadata({ ...start.metadata, title: 'changed' });
      expect((await store.log(id))?.events).toEqual([said('new')]);
      expect(await store.baseConfig(id)).toEqual({ kb: {} });
      expect((await store.get(id))?.metadata.title).toBe('changed');
      await writer?.remove();
      await writer?.release();
      expect(await store.get(id)).toBeUndefined();
      expect(await store.ids()).toEqual([]);
    });

    it('lists pinned ones first, then the most recently active, within the limit', async () => {
      const store = open();
      await store.create(startAt(1, { pinnedAt: START }));
      await store.create(startAt(2, { activeAt: START + 9_000_000 }));
      await store.create(startAt(3));
      await store.create(startAt(4, { archivedAt: START }));
      const listed = async (query: Partial<ConversationQuery>) =>
        (await store.list({ ...all, ...query })).map(({ id }) => id);
      expect(await listed({ archived: 'without' })).toEqual([idAt(1), idAt(2), idAt(3)]);
      expect(await listed({ archived: 'only' })).toEqual([idAt(4)]);
      expect(await listed({ limit: 2 })).toEqual([idAt(1), idAt(2)]);
      expect(await store.ids()).toEqual([1, 2, 3, 4].map(idAt));
    });

    it('filters by label and by place, and sees a change at once', async () => {
      const store = open();
      const start = startAt(1, { labels: new Map([['team', 'a']]) });
      await store.create(start);
      await store.create(startAt(2, {}, { isLocal: true }));
      const listed = async (query: Partial<ConversationQuery>) =>
        (await store.list({ ...all, ...query })).map(({ id }) => id);
      expect(await listed({ labels: parseSelector('team=a') })).toEqual([idAt(1)]);
      expect(await listed({ local: 'only' })).toEqual([idAt(2)]);
      expect(await listed({ local: 'without' })).toEqual([idAt(1)]);
      const writer = await store.write(start.id);
      await writer?.putMetadata({ ...start.metadata, labels: new Map([['team', 'b']]) });
      await writer?.release();
      expect(await listed({ labels: parseSelector('team=a') })).toEqual([]);
      expect(await listed({ labels: parseSelector('team=b') })).toEqual([idAt(1)]);
    });
  });
}
