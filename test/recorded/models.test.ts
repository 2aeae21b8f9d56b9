import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openModel } from '../../src/adapters/models/open-model.ts';
import { fixedClock } from '../../src/base/time.ts';
import type { Config } from '../../src/config/schema.ts';
import type { ModelEvent, ModelRequest } from '../../src/domain/turns/model/model.ts';
import { expectedReply } from './expected-reply.ts';
import { type Exchange, missingRecordings, recordedExchanges } from './recordings.ts';
import { type Answer, replayServer } from './replay-server.ts';

const KINDS = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'google',
  ollama: 'ollama',
  llamacpp: 'openai-compatible',
} as const;
type Provider = keyof typeof KINDS;
const BASES: Record<Provider, string> = {
  anthropic: '/v1',
  openai: '/v1',
  google: '/v1beta',
  ollama: '',
  llamacpp: '/v1',
};
const request: ModelRequest = { system: '', messages: [{ role: 'user', text: 'Hello' }], tools: [] };
const never = new AbortController().signal;

async function modelOn(url: string, provider: Provider) {
  const providers = {
    test: { kind: KINDS[provider], base_url: `${url}${BASES[provider]}`, api_key_env: 'KEY', headers: {} },
  };
  const places = {
    providers: providers as Config['providers']['llm'],
    environment: { KEY: 'secret' },
    clock: fixedClock(0),
  };
  return openModel(places, 'test/some-model');
}

async function replay(provider: Provider, ...answers: readonly Answer[]): Promise<ModelEvent[]> {
  const { url } = await replayServer(answers);
  const model = await modelOn(url, provider);
  return Array.fromAsync(model.stream(request, never));
}

function gathered(events: readonly ModelEvent[]) {
  const joined = (type: 'text-delta' | 'reasoning-delta') =>
    events.map((event) => (event.type === type ? event.text : '')).join('');
  const usage = events.find((event) => event.type === 'usage')?.usage;
  return {
    text: joined('text-delta'),
    reasoning: joined('reasoning-delta'),
    calls: events.flatMap((event) =>
      event.type === 'tool-call' ? [{ name: event.call.name, arguments: event.call.arguments }] : [],
    ),
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
  };
}

const finishOf = (events: readonly ModelEvent[]) => events.find((event) => event.type === 'finish')?.finish;
const all = recordedExchanges();
const answerOf = ({ contentType, body }: Exchange): Answer => ({
  headers: { 'content-type': contentType },
  body,
});

describe.skipIf(missingRecordings)(
  `recorded streams${missingRecordings ? ` (${missingRecordings})` : ''}`,
  () => {
    it.each(all.map((exchange) => [exchange.name, exchange] as const))(
      '%s comes out as it was recorded',
      async (_, exchange) => {
        const expected = expectedReply(exchange.provider, exchange.body);
        for (const piece of [undefined, 37]) {
          const events = await replay(exchange.provider as Provider, {
            ...answerOf(exchange),
            ...(piece && { piece }),
          });
          expect(gathered(events)).toEqual(expected);
          expect(finishOf(events)).toMatch(
            exchange.body.includes('"stop_reason":"max_tokens"') ? /^length$/ : /^(stop|tool-calls)$/,
          );
        }
      },
    );

    it.each(Object.keys(KINDS) as Provider[])(
      '%s: an end that nobody told is truncated, a cut is a dropped connection',
      async (provider) => {
        const exchange = all.find(
          (each) => each.provider === provider && each.name.includes('chat_completion_stream'),
        );
        if (!exchange) throw new Error(`No recording of ${provider}`);
        const half = Math.floor(Buffer.byteLength(exchange.body) / 2);
        const ended = await replay(provider, { ...answerOf(exchange), endAt: half });
        expect([undefined, 'truncated']).toContain(finishOf(ended));
        const cut = replay(provider, { ...answerOf(exchange), cutAt: half });
        await expect(cut).rejects.toMatchObject({ code: 'models/dropped', isTransient: true });
      },
    );
  },
);

/** An address of this machine where nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

describe('failures', () => {
  it.each([
    [
      401,
      {},
      '{"error":{"message":"bad key"}}',
      {
        code: 'models/denied',
        isTransient: false,
        message: 'test/some-model: the key in KEY was refused (bad key).',
      },
    ],
    [404, {}, '{"error":{"message":"no model"}}', { code: 'models/unknown', isTransient: false }],
    [
      400,
      {},
      '{"error":{"message":"This model\'s maximum context length is 8 tokens"}}',
      { code: 'models/context-too-long', isTransient: false },
    ],
    [
      429,
      { 'retry-after': '7' },
      '{}',
      { code: 'models/rate-limited', isTransient: true, retryAfterMs: 7000 },
    ],
    [
      429,
      { 'retry-after-ms': '250' },
      '{}',
      { code: 'models/rate-limited', isTransient: true, retryAfterMs: 250 },
    ],
    [
      429,
      { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' },
      '{}',
      { code: 'models/rate-limited', retryAfterMs: 9000 },
    ],
    [
      429,
      {},
      '{"error":{"code":"insufficient_quota","message":"x"}}',
      { code: 'models/denied', isTransient: false },
    ],
    [
      529,
      {},
      '{"error":{"type":"overloaded_error","message":"Overloaded"}}',
      { code: 'models/overloaded', isTransient: true },
    ],
    [503, {}, '', { code: 'models/overloaded', isTransient: true }],
    [500, {}, 'oops', { code: 'models/failed', isTransient: true }],
    [422, {}, '{}', { code: 'models/failed', isTransient: false }],
  ])('status %i', async (status, headers, body, fault) => {
    for (const provider of Object.keys(KINDS) as Provider[]) {
      const answer = { status, headers: { 'content-type': 'application/json', ...headers }, body };
      await expect(replay(provider, answer), provider).rejects.toMatchObject(fault);
    }
  });

  it('names the variable of a missing key, and a provider that is not there', async () => {
    const providers = {
      anthropic: { kind: 'anthropic', api_key_env: 'MY_KEY', headers: {} },
    } as Config['providers']['llm'];
    const places = { providers, environment: {}, clock: fixedClock(0) };
    await expect(openModel(places, 'anthropic/x')).rejects.toMatchObject({
      code: 'models/key-missing',
      message: 'anthropic/x needs a key, and MY_KEY is not set.',
    });
    await expect(openModel(places, 'antropic/x')).rejects.toMatchObject({ hint: 'Did you mean anthropic?' });
    await expect(openModel(places, 'anthropic')).rejects.toMatchObject({ code: 'models/unknown' });
  });

  it('says that nothing answers', async () => {
    const model = await modelOn(await closedPort(), 'ollama');
    await expect(Array.fromAsync(model.stream(request, never))).rejects.toMatchObject({
      code: 'models/unreachable',
    });
  });

  it('ends quietly when it is stopped', async () => {
    const stopping = new AbortController();
    const { url } = await replayServer([{ body: 'data: {}\n\n', piece: 1 }]);
    const model = await modelOn(url, 'anthropic');
    stopping.abort();
    expect(await Array.fromAsync(model.stream(request, stopping.signal))).toEqual([]);
  });
});
