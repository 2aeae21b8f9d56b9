import { describe, expect, it } from 'vitest';
import type { ConversationEvent } from '../../src/domain/conversations/event.ts';
import type { TurnEvent } from '../../src/domain/turns/turn-event.ts';
import { scaled } from '../scale.ts';
import { asking, type Provider } from './asking.ts';
import { expectedReply } from './expected-reply.ts';
import { type Exchange, missingRecordings, recordedExchanges } from './recordings.ts';
import type { Answer } from './replay-server.ts';

const all = recordedExchanges();
const answerOf = ({ contentType, body }: Exchange): Answer => ({
  headers: { 'content-type': contentType },
  body,
});
const plainAnswer = (provider: string) => {
  const found = all.find(
    (each) => each.provider === provider && each.name.includes('chat_completion_stream'),
  );
  if (!found) throw new Error(`No recording of ${provider}`);
  return found;
};

/** The parts of the first reply, as the log holds them. */
function firstReply(events: readonly ConversationEvent[]) {
  const start = events.findIndex(({ type }) => type === 'user_message') + 1;
  const end = events.findIndex(({ type }, at) => at >= start && (type === 'usage' || type === 'tool_result'));
  const reply = events.slice(start, end + 1);
  const joined = (type: 'assistant_message' | 'reasoning') =>
    reply.map((event) => (event.type === type ? event.text : '')).join('');
  const usage = reply.find((event) => event.type === 'usage');
  return {
    text: joined('assistant_message'),
    reasoning: joined('reasoning'),
    calls: reply.flatMap((event) =>
      event.type === 'tool_call' ? [{ name: event.name, arguments: event.arguments }] : [],
    ),
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
  };
}

/** Signatures and encrypted thoughts, which only their provider can read. Of OpenAI’s three, the one of the item that is done. */
function sealsIn(body: string): string[] {
  const done = body.split('\n').filter((line) => !/"response\.(?:output_item\.added|completed)"/.test(line));
  const fields = /"(?:signature|thoughtSignature|data|encrypted_content)":\s*"([^"]{40,})"/g;
  return [...new Set([...done.join('\n').matchAll(fields)].map(([, seal = '']) => seal))];
}
const signed = all
  .filter(({ provider, body }) => provider !== 'openrouter' && sealsIn(body).length > 0)
  .map((exchange) => [exchange.name, exchange] as const);

const PIECES = [undefined, 37, 1];
/** Every recording in one way, each way for every third; all three ways in the long run. */
const rows = all.flatMap((exchange, at) =>
  (scaled(1) > 1 ? PIECES : [PIECES[at % PIECES.length]]).map(
    (piece) => [exchange.name, piece ?? 'whole', exchange] as const,
  ),
);

describe.skipIf(missingRecordings)(
  `recorded streams${missingRecordings ? ` (${missingRecordings})` : ''}`,
  () => {
    it.each(rows)('%s in pieces of %s is in the log as it was recorded', async (_, piece, exchange) => {
      const expected = expectedReply(exchange.provider, exchange.body);
      const first = { ...answerOf(exchange), ...(typeof piece === 'number' && { piece }) };
      const last = answerOf(plainAnswer(exchange.provider));
      const box = await asking(exchange.provider as Provider, [first, last]);
      const { code, stdout } = await box.ken(['q', '-n', '--json', 'Hello']);
      expect(firstReply(box.events())).toEqual(expected);
      const told = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as TurnEvent);
      const shown = told.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
      expect(shown.startsWith(expected.text)).toBe(true);
      expect(told.flatMap((event) => (event.type === 'tool-call' ? [event.call.name] : []))).toEqual(
        expected.calls.map(({ name }) => name),
      );
      expect(code).toBe(exchange.body.includes('"stop_reason":"max_tokens"') ? 1 : 0);
    });

    it.each(signed)('%s: what the provider wants to see again is sent as it came', async (_, exchange) => {
      const last = answerOf(plainAnswer(exchange.provider));
      const box = await asking(exchange.provider as Provider, [answerOf(exchange), last, last]);
      await box.ken(['q', '-n', 'Hello']);
      await box.ken(['q', 'More']);
      const later = box.server.requests.slice(1);
      expect(later.length).toBeGreaterThan(0);
      for (const { body } of later)
        for (const seal of sealsIn(exchange.body)) expect(body.includes(seal), seal.slice(0, 40)).toBe(true);
    });

    it('prints the answer and nothing else on standard output', async () => {
      const exchange = plainAnswer('anthropic');
      const box = await asking('anthropic', [answerOf(exchange)]);
      const { text } = expectedReply('anthropic', exchange.body);
      expect(await box.ken(['q', 'Hello'])).toEqual({
        code: 0,
        stdout: text.endsWith('\n') ? text : `${text}\n`,
        stderr: '',
      });
    });

    it.each(['anthropic', 'openai', 'google', 'ollama', 'llamacpp'] as const)(
      '%s: an answer cut in the middle is kept and told',
      async (provider) => {
        const exchange = plainAnswer(provider);
        const half = Math.floor(Buffer.byteLength(exchange.body) * 0.6);
        const box = await asking(provider, [{ ...answerOf(exchange), endAt: half }]);
        const { code, stderr } = await box.ken(['q', 'Hello']);
        expect(code).toBe(1);
        expect(stderr).toBe(
          'warning: the answer broke off; its text is kept. "ken q --id @last" asks again.\n',
        );
        expect(box.events().find(({ type }) => type === 'assistant_message')).toMatchObject({
          finish: 'truncated',
        });
      },
    );

    it('asks again after a dropped connection, and keeps both attempts', async () => {
      const exchange = plainAnswer('anthropic');
      const cut = { ...answerOf(exchange), cutAt: Math.floor(Buffer.byteLength(exchange.body) * 0.8) };
      const box = await asking('anthropic', [cut, answerOf(exchange)]);
      const { code, stderr } = await box.ken(['q', 'Hello']);
      expect({ code, requests: box.server.requests.length }).toEqual({ code: 0, requests: 2 });
      expect(stderr).toBe(
        'test/some-model: the connection broke. Trying again in 2 s.\n'.replace(
          '2 s',
          stderr.includes('1 s') ? '1 s' : '2 s',
        ),
      );
      const finishes = box
        .events()
        .flatMap((event) => (event.type === 'assistant_message' ? [event.finish] : []));
      expect(finishes).toEqual(['truncated', 'stop']);
    });

    it.each([
      [429, '{}'],
      [529, '{"error":{"type":"overloaded_error","message":"Overloaded"}}'],
      [503, ''],
    ])('status %i is tried again when the server says so', async (status, body) => {
      const busy = { status, headers: { 'content-type': 'application/json', 'retry-after': '0' }, body };
      const box = await asking('anthropic', [busy, busy, answerOf(plainAnswer('anthropic'))]);
      expect((await box.ken(['q', 'Hello'])).code).toBe(0);
      expect(box.server.requests).toHaveLength(3);
    });
  },
);

it.each([
  [
    401,
    '{"error":{"message":"bad key"}}',
    4,
    'ken: test/some-model: the key in TEST_KEY was refused (bad key).\nhint: Put a key that is valid for this provider into TEST_KEY.\n',
  ],
  [
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}}',
    1,
    'ken: test/some-model: the conversation is longer than the model can read (prompt is too long: 9 tokens > 8 maximum).\nhint: Shorten it with "ken c compact", or start a new conversation.\n',
  ],
])('status %i is one clear line, and the question is kept', async (status, body, code, stderr) => {
  const box = await asking('anthropic', [{ status, headers: { 'content-type': 'application/json' }, body }]);
  expect(await box.ken(['q', 'Hello'])).toEqual({ code, stdout: '', stderr });
  expect(box.server.requests).toHaveLength(1);
  expect(box.events().map(({ type }) => type)).toEqual(['turn_start', 'user_message']);
});

it('names the variable of a missing key before anything is sent', async () => {
  const box = await asking('anthropic', []);
  expect(await box.ken(['q', 'Hello'], { environment: { TEST_KEY: '' } })).toEqual({
    code: 4,
    stdout: '',
    stderr: 'ken: test/some-model needs a key, and TEST_KEY is not set.\nhint: export TEST_KEY=…\n',
  });
});

const TOOLS = [
  'learn',
  'search',
  'show',
  'kb_propose',
  'knowledge_search',
  'knowledge_add',
  'knowledge_feedback',
  'knowledge_promote',
  'reference_search',
  'reference_topic_search',
  'reference_topic_list',
  'reference_topic_create',
  'reference_topic_update',
  'web_fetch',
];

it('sends nothing with --dry-run, and shows the exact request', async () => {
  const box = await asking('anthropic', []);
  const { code, stdout } = await box.ken(['q', '--dry-run', '--json', 'Hello']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    model: 'test/some-model',
    request: { messages: [{ role: 'user', text: 'Hello' }], tools: TOOLS.map((name) => ({ name })) },
  });
  expect(box.server.requests).toEqual([]);
});
