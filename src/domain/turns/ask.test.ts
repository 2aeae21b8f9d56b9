import { expect, it } from 'vitest';
import { memoryConversationStore } from '../../../test/doubles/conversation-store.ts';
import { countingIds } from '../../../test/doubles/ids.ts';
import { type ScriptStep, scriptedModel } from '../../../test/doubles/scripted-model.ts';
import { fixedClock } from '../../base/time.ts';
import { type AskInput, ask } from './ask.ts';

const says = (text: string): ScriptStep[] => [
  { type: 'text-delta', text },
  { type: 'finish', finish: 'stop' },
];

async function asked(
  replies: readonly (readonly ScriptStep[])[],
  more: Partial<AskInput> = {},
  conversations = memoryConversationStore(),
) {
  const ports = {
    conversations,
    clock: fixedClock(1_790_000_000_000),
    ids: countingIds(),
    model: scriptedModel(...replies),
    retryPolicy: { maxRetries: 0, idleMs: 60_000, random: () => 0, wait: () => new Promise<void>(() => {}) },
    tools: {
      definitions: [],
      describe: async () => '',
      call: async () => Promise.reject(new Error('no tools')),
    },
  };
  const start = {
    isLocal: false,
    metadata: { labels: new Map([['team', 'x']]) },
    baseConfig: {},
    events: [],
  };
  const input: AskInput = {
    in: { kind: 'new', start },
    configChanges: [],
    decisions: [],
    message: { text: 'How do we deploy?\nTell me all.' },
    system: '',
    maxSteps: 3,
    ...more,
  };
  await Array.fromAsync(ask(ports, input, new AbortController().signal));
  const [id] = await conversations.ids();
  if (!id) throw new Error('There is no conversation.');
  return { conversation: await conversations.get(id), log: await conversations.log(id), conversations, id };
}

it('makes the conversation, with its labels, and names it after the question', async () => {
  const { conversation } = await asked([says('So.')]);
  expect(conversation?.metadata).toMatchObject({
    title: 'How do we deploy?',
    labels: new Map([['team', 'x']]),
  });
});

it('takes the title that was given, or asks the model for one', async () => {
  expect((await asked([says('So.')], { title: 'Given' })).conversation?.metadata.title).toBe('Given');
  const generated = await asked([says('So.'), says('"Deploying the thing".')], { makesTitle: true });
  expect(generated.conversation?.metadata.title).toBe('Deploying the thing');
  const silent = await asked([says('So.'), [new Error('down')]], { makesTitle: true });
  expect(silent.conversation?.metadata.title).toBe('How do we deploy?');
});

it.each([
  ['x'.repeat(60), 'x'.repeat(60)],
  ['x'.repeat(61), `${'x'.repeat(59)}…`],
  ['\u{1f44d}'.repeat(61), `${'\u{1f44d}'.repeat(59)}…`],
  ['  First line \nsecond', 'First line '],
])('names %j after its beginning', async (question, title) => {
  const { conversation } = await asked([says('So.')], { message: { text: question } });
  expect(conversation?.metadata.title).toBe(title);
});

it('leaves the labels alone that somebody else changed while it waited', async () => {
  const { conversations, conversation, id } = await asked([says('So.')]);
  if (!conversation) throw new Error('There is no conversation.');
  const writer = await conversations.write(id);
  const others = new Map([
    ['team', 'theirs'],
    ['new', '1'],
  ]);
  await writer?.putMetadata({ ...conversation.metadata, labels: others });
  await writer?.release();
  const labels = new Map([...conversation.metadata.labels, ['mine', '1']]);
  const place = { kind: 'existing', conversation, labels } as const;
  const after = await asked([says('So.')], { in: place }, conversations);
  expect(Object.fromEntries(after.conversation?.metadata.labels ?? [])).toEqual({
    team: 'theirs',
    new: '1',
    mine: '1',
  });
});

it('writes what its settings change by before the question', async () => {
  const changes = [{ op: 'set', path: ['assistant', 'model'], value: 'x/y' }];
  const { log } = await asked([says('So.')], { configChanges: changes });
  expect(log?.events.map(({ type }) => type)).toEqual([
    'config_delta',
    'turn_start',
    'user_message',
    'assistant_message',
  ]);
});

it('frees the conversation when the model fails', async () => {
  const conversations = memoryConversationStore();
  await expect(asked([[new Error('bug')]], {}, conversations)).rejects.toThrow('bug');
  const [id] = await conversations.ids();
  expect(id && (await conversations.write(id))).toBeDefined();
});
