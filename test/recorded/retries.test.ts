/** Real providers' wire formats on loopback, the real loop, and a clock that nobody waits for. */

import { expect, it } from 'vitest';
import { openModel } from '../../src/adapters/models/open-model.ts';
import { fixedClock } from '../../src/base/time.ts';
import type { Config } from '../../src/config/schema.ts';
import { conversationIdAt } from '../../src/domain/conversations/conversation-id.ts';
import type { ConversationEvent } from '../../src/domain/conversations/event.ts';
import { runTurn } from '../../src/domain/turns/run-turn.ts';
import { PROVIDERS, type Provider } from './asking.ts';
import { type Answer, replayServer } from './replay-server.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const NO_TOOLS = {
  definitions: [],
  describe: async () => '',
  call: async () => Promise.reject(new Error('There are no tools.')),
};

/** The waits between the attempts, the log, and how many requests were made. */
async function turnOver(provider: Provider, answers: readonly Answer[], random = 0) {
  const server = await replayServer(answers);
  const { kind, base } = PROVIDERS[provider];
  const test = { kind, base_url: `${server.url}${base}`, api_key_env: 'KEY', headers: {} };
  const clock = fixedClock(0);
  const model = await openModel(
    { providers: { test } as Config['providers']['llm'], environment: { KEY: 'secret' }, clock },
    'test/some-model',
  );
  const log: ConversationEvent[] = [];
  const waits: number[] = [];
  const retryPolicy = {
    maxRetries: 5,
    idleMs: IDLE_MS,
    random: () => random,
    wait: (milliseconds: number, signal: AbortSignal) => {
      if (milliseconds === IDLE_MS)
        return new Promise<void>((done) => signal.addEventListener('abort', () => done()));
      waits.push(milliseconds);
      return Promise.resolve();
    },
  };
  const writer = { append: async (events: readonly ConversationEvent[]) => void log.push(...events) };
  const input = {
    conversation: conversationIdAt(0, '0000'),
    history: [],
    preface: [],
    message: { text: 'Hello' },
    system: '',
    maxSteps: 2,
  };
  const events = runTurn(
    { model, clock, retryPolicy, writer, tools: NO_TOOLS },
    input,
    new AbortController().signal,
  );
  const end = await Array.fromAsync(events).then(
    (told) => told.at(-1),
    (error: unknown) => error,
  );
  return { waits, log, end, requests: server.requests.length };
}

/** Unlike any wait between attempts. */
const IDLE_MS = 61_234;

const sse = (...chunks: readonly object[]) =>
  chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
const OPENAI_TEXT = { choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: null }] };
const OPENAI_ANSWER = {
  body: `${sse(OPENAI_TEXT, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}data: [DONE]\n\n`,
};
const anthropic = (...events: readonly { type: string; [field: string]: unknown }[]) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
const USAGE = { input_tokens: 1, output_tokens: 1 };
const BEGIN = [
  {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'x',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: USAGE,
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi.' } },
];
const ANTHROPIC_ANSWER = {
  body: anthropic(
    ...BEGIN,
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: USAGE } as {
      type: string;
    },
    { type: 'message_stop' },
  ),
};
const overloadedMidStream = {
  body: anthropic(...BEGIN, {
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded' },
  }),
};
const busy = (status: number, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { ...JSON_TYPE, ...headers },
  body: '{"error":{"message":"busy"}}',
});
const answered = { type: 'turn-end', end: { reason: 'answered', text: 'Hi.', pending: [] } };

it('waits as the headers say: seconds, milliseconds, a date, and never longer than a minute', async () => {
  const answers = [
    busy(429, { 'retry-after': '7' }),
    busy(429, { 'retry-after-ms': '250' }),
    busy(529, { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }),
    busy(503, { 'retry-after': '86400' }),
    OPENAI_ANSWER,
  ];
  expect(await turnOver('llamacpp', answers)).toMatchObject({
    waits: [7_000, 250, 9_000, 60_000],
    end: answered,
    requests: 5,
  });
});

it('without a header it waits a second, twice as long each time, and a little more by chance', async () => {
  const answers = [busy(429), busy(529), busy(503), busy(500), busy(429), ANTHROPIC_ANSWER];
  const { waits, end } = await turnOver('anthropic', answers);
  expect({ waits, end }).toEqual({ waits: [1_000, 2_000, 4_000, 8_000, 16_000], end: answered });
  expect((await turnOver('anthropic', [busy(529), ANTHROPIC_ANSWER], 0.999)).waits).toEqual([1_499]);
});

it('an overload told in the middle of a stream is tried again, and what came is kept', async () => {
  const { waits, end, log } = await turnOver('anthropic', [overloadedMidStream, ANTHROPIC_ANSWER]);
  expect({ waits, end }).toEqual({ waits: [1_000], end: answered });
  const kept = log.flatMap((event) =>
    event.type === 'assistant_message' ? [[event.text, event.finish]] : [],
  );
  expect(kept).toEqual([
    ['Hi.', 'truncated'],
    ['Hi.', 'stop'],
  ]);
});

it('gives up after assistant.request.max_retries, and the question is kept', async () => {
  const { waits, end, log, requests } = await turnOver('anthropic', Array(7).fill(busy(529)));
  expect(waits).toHaveLength(5);
  expect(requests).toBe(6);
  expect(end).toMatchObject({ code: 'models/overloaded' });
  expect(log.map(({ type }) => type)).toEqual(['turn_start', 'user_message', ...Array(5).fill('remark')]);
});

it.each([
  [401, '{"error":{"message":"bad key"}}', 'models/denied'],
  [400, '{"error":{"message":"prompt is too long: 9 tokens > 8 maximum"}}', 'models/context-too-long'],
])('status %i is not tried again', async (status, body, code) => {
  const { waits, end, requests } = await turnOver('anthropic', [{ status, headers: JSON_TYPE, body }]);
  expect({ waits, requests }).toEqual({ waits: [], requests: 1 });
  expect(end).toMatchObject({ code });
});
