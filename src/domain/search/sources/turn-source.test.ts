import { expect, it } from 'vitest';
import { memoryConversationStore } from '../../../../test/doubles/conversation-store.ts';
import { indexInMemory } from '../../../../test/stores-in-memory.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import type { Metadata } from '../../conversations/conversation.ts';
import type { ConversationId } from '../../conversations/conversation-id.ts';
import type { ConversationEvent } from '../../conversations/event.ts';
import type { ConversationStore } from '../../conversations/store.ts';
import type { Labels } from '../../labels/label.ts';
import type { StoredChunk } from '../index/index-item.ts';
import { NOTHING_KNOWN } from '../index/index-store.ts';
import { syncIndex } from '../index/sync-index.ts';
import { SegmentBuilder } from '../postings/build-segment.ts';
import { turnSource } from './turn-source.ts';

const ID = '1kdvdna00000' as ConversationId;
const AT = '2026-01-01T00:00:00.000Z';
const signal = new AbortController().signal;

function turn(number: number, answer: string): readonly ConversationEvent[] {
  return [
    { type: 'turn_start', at: AT, turn: number },
    { type: 'user_message', at: AT, text: `Question ${number}?` },
    { type: 'assistant_message', at: AT, text: answer, model: 'x/y', finish: 'stop' },
  ];
}

/** A conversation with a part for each turn, and which parts were read since the last look. */
async function place(...answers: string[]) {
  const memory = memoryConversationStore();
  const metadata = { title: 'Bees', createdAt: 0, activeAt: 1, labels: new Map(), others: {} };
  await memory.create({ id: ID, isLocal: false, metadata, baseConfig: {}, events: [] });
  let read: number[] = [];
  const conversations: ConversationStore = {
    ...memory,
    parts: async () =>
      answers.map((answer, at) => ({
        stamp: `${at} ${answer}`,
        events: async () => {
          read.push(at);
          return turn(at + 1, answer);
        },
      })),
  };
  const store = indexInMemory();
  const source = turnSource({ conversations, hasher: systemHasher });
  const change = async (changes: Partial<Metadata>) => {
    const writer = await memory.write(ID);
    await writer?.putMetadata({ ...metadata, ...changes });
    await writer?.release();
  };
  return {
    answers,
    store,
    source,
    activeAt: (at: number) => change({ activeAt: at }),
    labelled: (labels: Labels) => change({ labels }),
    async labels(key: string, value: string) {
      const filter = { labels: [{ kind: 'equals', key, value }] } as const;
      const { chosen = [] } = await store.snapshot({ known: NOTHING_KNOWN, terms: [], filter });
      return chosen.length / 2;
    },
    async sync() {
      read = [];
      const { indexed, removed } = await syncIndex({ store, embedder: undefined }, [source], signal);
      return { indexed, removed, read: [...new Set(read)].sort() };
    },
  };
}

it('reads only parts with new turns again, and nothing while nothing happened', async () => {
  const { answers, activeAt, sync, store } = await place('The hive hums.', 'Bees dance.', 'Honey is sweet.');
  expect(await sync()).toEqual({ indexed: 3, removed: 0, read: [0, 1, 2] });
  expect(await sync()).toEqual({ indexed: 0, removed: 0, read: [] });
  answers[2] = 'Honey keeps for years.';
  expect(await sync()).toEqual({ indexed: 0, removed: 0, read: [] });
  await activeAt(2);
  // The first part says what the title is.
  expect(await sync()).toEqual({ indexed: 1, removed: 0, read: [0, 2] });
  answers.push('Wax melts.');
  await activeAt(3);
  expect(await sync()).toMatchObject({ indexed: 1, removed: 0 });
  answers.splice(1);
  await activeAt(4);
  expect(await sync()).toEqual({ indexed: 0, removed: 3, read: [] });
  expect([...(await store.items('conversations')).keys()]).toEqual([ID]);
});

it('takes other labels without reading a part again', async () => {
  const { labelled, labels, sync } = await place('The hive hums.', 'Bees dance.', 'Honey is sweet.');
  await sync();
  await labelled(new Map([['team', 'bees']]));
  expect(await sync()).toEqual({ indexed: 0, removed: 0, read: [] });
  expect(await labels('team', 'bees')).toBe(3);
  await labelled(new Map());
  expect(await sync()).toEqual({ indexed: 0, removed: 0, read: [] });
  expect(await labels('team', 'bees')).toBe(0);
});

it('goes on after an interruption: nothing counts as indexed before all parts are', async () => {
  const { sync, store, answers } = await place('One.', 'Two.', 'Three.');
  await sync();
  await store.apply({
    removed: [{ source: 'conversations', id: ID }],
    added: [],
    segment: new SegmentBuilder().finish(),
  });
  expect(answers).toHaveLength(3);
  expect(await sync()).toMatchObject({ indexed: 1, read: [0] });
});

it('cites the conversation and the turn, whatever part it is in', async () => {
  const { source } = await place('One.');
  await source.list(new Map());
  const shown: StoredChunk = {
    ...{
      source: 'conversations',
      id: `${ID}/3`,
      kind: 'turn',
      topic: '',
      path: '',
      title: '',
      hash: 'h',
      meta: {},
    },
    ...{ number: 1, ordinal: 0, heading: 'turn 712', body: 'x', firstLine: 0, lastLine: 0 },
  };
  const [described] = await source.describe([shown]);
  expect(described).toMatchObject({ title: 'Bees', citation: { uri: `ken://conversation/${ID}#turn-712` } });
});
