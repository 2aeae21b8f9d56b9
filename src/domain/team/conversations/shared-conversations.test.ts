import { expect, it } from 'vitest';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { conversationIdAt } from '../../conversations/conversation-id.ts';
import type { ConversationEvent } from '../../conversations/event.ts';
import { eventsIn, sharedForm } from './shared-conversations.ts';

const at = '2026-01-01T00:00:00.000Z';
const id = conversationIdAt(1_790_000_000_000, '0000');
const metadata = {
  title: 'Tea',
  createdAt: 1,
  activeAt: 2,
  pinnedAt: 3,
  labels: new Map([['topic', 'tea']]),
  others: { imported: { from: 'codex', id: 'x' } },
};
const EVENTS: readonly ConversationEvent[] = [
  { type: 'turn_start', at, turn: 1 },
  { type: 'user_message', at, text: 'How long?' },
  { type: 'config_delta', at, changes: [{ key: 'secret' }] },
  { type: 'approval', at, id: '1', decision: 'approved', summary: 'Run?', by: 'ada', through: 'terminal' },
  {
    type: 'assistant_message',
    at,
    text: 'Three minutes.',
    model: 'm',
    finish: 'stop',
    provider: { key: 'opaque' },
  },
  { type: 'foreign', content: { type: 'later', text: 'unknown' } },
];

it('shares what was said, without approvals, settings and what nobody here understands', () => {
  const { shared, lines, turns } = sharedForm(systemHasher, { id, metadata }, EVENTS);
  expect(shared.metadata).toEqual({
    title: 'Tea',
    createdAt: 1,
    activeAt: 2,
    labels: metadata.labels,
    others: {},
  });
  expect(turns).toBe(1);
  expect(eventsIn(lines)).toEqual({
    events: [
      EVENTS[0],
      EVENTS[1],
      { type: 'assistant_message', at, text: 'Three minutes.', model: 'm', finish: 'stop' },
    ],
    unreadable: [],
  });
  expect(lines).not.toMatch(/opaque|secret|ada|unknown/);
});

it('has a digest that changes with what was said, and with nothing else', () => {
  const digest = (events: readonly ConversationEvent[], more: object = {}) =>
    sharedForm(systemHasher, { id, metadata: { ...metadata, ...more } }, events).shared.digest;
  expect(digest(EVENTS, { pinnedAt: 9 })).toBe(digest(EVENTS));
  expect(digest(EVENTS.slice(0, 4))).not.toBe(digest(EVENTS));
  expect(digest(EVENTS, { title: 'Other' })).not.toBe(digest(EVENTS));
});

it('reads no approval and no setting that somebody wrote into the database', () => {
  const lines = [...EVENTS.map((event) => JSON.stringify(event)), '{"torn'].join('\n');
  const { events, unreadable } = eventsIn(lines);
  expect(events.map(({ type }) => type)).toEqual(['turn_start', 'user_message', 'assistant_message']);
  expect(unreadable).toEqual([7]);
});
