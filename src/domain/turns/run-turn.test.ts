import { expect, it } from 'vitest';
import { type ScriptStep, scriptedModel } from '../../../test/doubles/scripted-model.ts';
import { fixedClock } from '../../base/time.ts';
import { conversationIdAt } from '../conversations/conversation-id.ts';
import type { AssistantMessage, ConversationEvent, Finish } from '../conversations/event.ts';
import { failure, success } from '../tools/tool.ts';
import { ModelFault, type ModelToolCall } from './model/model.ts';
import { runTurn, type TurnInput, type TurnTools } from './run-turn.ts';
import type { TurnEvent } from './turn-event.ts';

const at = '1970-01-01T00:00:00.000Z';
const text = (value: string): ScriptStep => ({ type: 'text-delta', text: value });
const stop: ScriptStep = { type: 'finish', finish: 'stop' };
const callsTools: ScriptStep = { type: 'finish', finish: 'tool-calls' };
const call = (id: string): ModelToolCall => ({ id, name: 'clock', arguments: {} });
const calling = (id: string): ScriptStep => ({ type: 'tool-call', call: call(id) });
const overloaded = (retryAfterMs?: number) =>
  new ModelFault('models/overloaded', 'too busy', { isTransient: true, retryAfterMs });

const clockTool: TurnTools = {
  definitions: [{ name: 'clock', description: 'The time', parameters: {} }],
  describe: async ({ id }) => `clock ${id}`,
  call: async ({ id }) => ({ outcome: success(`noon ${id}`) }),
};

interface Options {
  readonly tools?: TurnTools;
  readonly input?: { readonly [Name in keyof TurnInput]?: TurnInput[Name] | undefined };
  readonly signal?: AbortSignal;
  /** The first wait for the stream runs out at once. */
  readonly idle?: 'first';
  /** Happens in every write. */
  slow?(): Promise<void>;
}

function turn(replies: readonly (readonly ScriptStep[])[], options: Options = {}) {
  const model = scriptedModel(...replies);
  const log: ConversationEvent[] = [];
  const waits: number[] = [];
  let isIdle = options.idle === 'first';
  const ports = {
    model,
    clock: fixedClock(0),
    tools: options.tools ?? clockTool,
    writer: {
      async append(events: readonly ConversationEvent[]) {
        await options.slow?.();
        log.push(...events);
      },
    },
    retryPolicy: {
      maxRetries: 2,
      idleMs: 60_000,
      random: () => 0,
      wait: (milliseconds: number, signal: AbortSignal) => {
        if (milliseconds !== 60_000) waits.push(milliseconds);
        if (milliseconds !== 60_000 || isIdle) {
          isIdle = false;
          return Promise.resolve();
        }
        return new Promise<void>((done) => signal.addEventListener('abort', () => done()));
      },
    },
  };
  const input = {
    conversation: conversationIdAt(0, '0000'),
    history: [],
    preface: [],
    message: { text: 'Time?' },
    system: 'Be brief.',
    maxSteps: 4,
    ...options.input,
  } as TurnInput;
  const signal = options.signal ?? new AbortController().signal;
  return { model, log, waits, events: () => Array.fromAsync(runTurn(ports, input, signal)) };
}

const opening: ConversationEvent[] = [
  { type: 'turn_start', at, turn: 1 },
  { type: 'user_message', at, text: 'Time?' },
];
const answer = (value: string, finish: Finish = 'stop'): AssistantMessage => ({
  type: 'assistant_message',
  at,
  text: value,
  model: 'scripted/model',
  finish,
});
const end = (events: readonly TurnEvent[]) => events.at(-1);

it('runs the tools that were called, then answers', async () => {
  const { events, log, model } = turn([
    [calling('a'), calling('b'), callsTools],
    [text('No'), text('on.'), stop],
  ]);
  expect((await events()).map(({ type }) => type)).toEqual([
    'turn-start',
    'tool-call',
    'tool-call',
    'tool-result',
    'tool-result',
    'text-delta',
    'text-delta',
    'turn-end',
  ]);
  expect(log).toEqual([
    ...opening,
    answer('', 'tool-calls'),
    { type: 'tool_call', at, ...call('a') },
    { type: 'tool_call', at, ...call('b') },
    { type: 'tool_result', at, id: 'a', name: 'clock', outcome: success('noon a') },
    { type: 'tool_result', at, id: 'b', name: 'clock', outcome: success('noon b') },
    answer('Noon.'),
  ]);
  expect(model.requests[1]?.messages.at(-1)).toEqual({
    role: 'tool',
    results: [
      { id: 'a', name: 'clock', text: 'noon a', isError: false },
      { id: 'b', name: 'clock', text: 'noon b', isError: false },
    ],
  });
});

it('has written the calls before a tool runs, and keeps results in the order of the calls', async () => {
  const seen: string[][] = [];
  const finished: string[] = [];
  const gates = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
  const tools: TurnTools = {
    ...clockTool,
    call: async ({ id }) => {
      seen.push(log.map(({ type }) => type));
      await gates[id as 'a' | 'b'].promise;
      finished.push(id);
      if (id === 'b') gates.a.resolve();
      return { outcome: success(id) };
    },
  };
  const { events, log } = turn(
    [
      [calling('a'), calling('b'), callsTools],
      [text('.'), stop],
    ],
    { tools },
  );
  gates.b.resolve();
  await events();
  expect(finished).toEqual(['b', 'a']);
  expect(seen[0]?.filter((type) => type === 'tool_call')).toHaveLength(2);
  expect(log.filter((event) => event.type === 'tool_result').map(({ id }) => id)).toEqual(['a', 'b']);
});

it('tells calls apart whose ids a server repeats', async () => {
  let clock = 10;
  const tools: TurnTools = { ...clockTool, call: async () => ({ outcome: success(`${++clock}`) }) };
  const { events, log, model } = turn(
    [
      [calling('0'), calling('0'), callsTools],
      [calling('0'), callsTools],
      [text('.'), stop],
    ],
    { tools },
  );
  await events();
  const results = log.flatMap((event) => (event.type === 'tool_result' ? [[event.id, event.outcome]] : []));
  expect(results).toEqual([
    ['0', success('11')],
    ['0-2', success('12')],
    ['0-3', success('13')],
  ]);
  const shown = model.requests[2]?.messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map((result) => result.text) : [],
  );
  expect(shown).toEqual(['11', '12', '13']);
});

it('stops at the limit of steps, with everything written', async () => {
  const { events } = turn([[calling('a'), callsTools]], { input: { maxSteps: 1 } });
  expect(end(await events())).toEqual({ type: 'turn-end', end: { reason: 'limit', text: '', pending: [] } });
});

it('waits as long as the provider asked, then doubles from a second', async () => {
  const { events, waits, log } = turn([[overloaded(7_000)], [overloaded()], [text('Noon.'), stop]]);
  expect((await events()).filter(({ type }) => type === 'retry')).toHaveLength(2);
  expect(waits).toEqual([7_000, 2_000]);
  expect(log.filter(({ type }) => type === 'assistant_message')).toEqual([answer('Noon.')]);
});

it('gives up after its retries, and at once on what retrying cannot help', async () => {
  const often = turn([[overloaded()], [overloaded()], [overloaded()]]);
  await expect(often.events()).rejects.toMatchObject({ code: 'models/overloaded' });
  expect(often.model.requests).toHaveLength(3);
  const denied = turn([[new ModelFault('models/denied', 'no')]]);
  await expect(denied.events()).rejects.toMatchObject({ code: 'models/denied' });
  expect(denied.model.requests).toHaveLength(1);
});

it('keeps what a broken attempt said, marked, and shows the model only the whole one later', async () => {
  const broken = turn([
    [text('Half'), overloaded()],
    [text('Whole.'), stop],
  ]);
  await broken.events();
  expect(broken.log.slice(2)).toEqual([
    answer('Half', 'truncated'),
    { type: 'remark', at, kind: 'retry', text: 'too busy' },
    answer('Whole.'),
  ]);
  const later = turn([[text('.'), stop]], { input: { history: broken.log } });
  await later.events();
  expect(later.model.requests[0]?.messages[1]).toEqual({
    role: 'assistant',
    parts: [{ type: 'text', text: 'Whole.' }],
  });
});

it('keeps what a broken attempt had thought, and what it cost, and shows the model none of it', async () => {
  const usage = { input_tokens: 7 };
  const thinking: ScriptStep = { type: 'reasoning-delta', text: 'Hm' };
  const broken = turn([[thinking, overloaded()], [{ type: 'usage', usage }, overloaded()], [overloaded()]]);
  await expect(broken.events()).rejects.toThrow('too busy');
  const retry = { type: 'remark', at, kind: 'retry', text: 'too busy' };
  expect(broken.log.slice(2)).toEqual([
    { type: 'reasoning', at, text: 'Hm' },
    answer('', 'truncated'),
    retry,
    answer('', 'truncated'),
    { type: 'usage', at, model: 'scripted/model', ...usage },
    retry,
  ]);
  const given = turn([[thinking, overloaded()], [overloaded()], [overloaded()]]);
  await expect(given.events()).rejects.toThrow('too busy');
  const resumed = [...given.log.filter(({ type }) => type !== 'remark'), answer('Noon.')];
  const later = turn([[text('.'), stop]], { input: { history: resumed } });
  await later.events();
  expect(later.model.requests[0]?.messages[1]).toEqual({
    role: 'assistant',
    parts: [{ type: 'text', text: 'Noon.' }],
  });
});

it('calls an answer whose end nobody told truncated, and runs none of its tools', async () => {
  const { events, log } = turn([[text('No'), calling('a')]]);
  expect(end(await events())).toEqual({
    type: 'turn-end',
    end: { reason: 'truncated', text: 'No', pending: [] },
  });
  expect(log.slice(2)).toEqual([answer('No', 'truncated')]);
});

it('keeps what came when the operator stops it', async () => {
  const stopping = new AbortController();
  const { events, log } = turn([[text('No'), 'hang']], { signal: stopping.signal });
  const running = events();
  queueMicrotask(() => setImmediate(() => stopping.abort()));
  expect(end(await running)).toEqual({
    type: 'turn-end',
    end: { reason: 'stopped', text: 'No', pending: [] },
  });
  expect(log.at(-1)).toEqual(answer('No', 'interrupted'));
});

it('keeps what was decided before the call runs, and names the approvals that wait', async () => {
  const seen: string[][] = [];
  const tools: TurnTools = {
    ...clockTool,
    call: async ({ id }, { recordDecision }) => {
      const decision = id === 'a' ? 'pending' : 'approved';
      await recordDecision({ id: `01${id}`, decision, summary: 'Look at the clock?' });
      seen.push(log.map(({ type }) => type));
      return { outcome: id === 'a' ? failure('APPROVAL_REQUIRED:TOOL_RUN:{}') : success('noon') };
    },
  };
  const { events, log } = turn(
    [
      [calling('a'), calling('b'), callsTools],
      [text('Waiting.'), stop],
    ],
    { tools },
  );
  const told = await events();
  expect(end(told)).toMatchObject({ end: { reason: 'answered', pending: ['01a'] } });
  expect(seen[0]?.at(-1)).toBe('approval');
  expect(told.map(({ type }) => type).slice(3, 7)).toEqual([
    'approval',
    'tool-result',
    'approval',
    'tool-result',
  ]);
  expect(log.filter(({ type }) => type === 'approval')).toEqual([
    { type: 'approval', at, id: '01a', decision: 'pending', summary: 'Look at the clock?', call: 'a' },
    { type: 'approval', at, id: '01b', decision: 'approved', summary: 'Look at the clock?', call: 'b' },
  ]);
});

it('writes one thing at a time, whatever happens at once', async () => {
  let open = 0;
  let most = 0;
  const tools: TurnTools = {
    ...clockTool,
    call: async ({ id }, { recordDecision }) => {
      await recordDecision({ id, decision: 'approved', summary: 'Look?' });
      return { outcome: success(id) };
    },
  };
  const slow = async () => {
    most = Math.max(most, ++open);
    await new Promise(setImmediate);
    open -= 1;
  };
  const { events } = turn([[...'abcd'].map(calling).concat(callsTools), [text('.'), stop]], { tools, slow });
  await events();
  expect(most).toBe(1);
});

it('tells how far the calls are, the latest of each, and keeps none of it', async () => {
  const progress = (done: number) => ({ phase: 'counting', done, total: 3 });
  const told = (id: string, done: number) => ({
    type: 'tool-progress',
    id,
    name: 'clock',
    progress: progress(done),
  });
  const late: (() => void)[] = [];
  const tools: TurnTools = {
    ...clockTool,
    call: async ({ id }, { onProgress }) => {
      onProgress(progress(1));
      onProgress(progress(2));
      await new Promise(setImmediate);
      if (id === 'b') onProgress(progress(3));
      late.push(() => onProgress(progress(3)));
      await new Promise(setImmediate);
      for (const tell of late) tell();
      return { outcome: success(id) };
    },
  };
  const { events, log } = turn(
    [
      [calling('a'), calling('b'), callsTools],
      [text('.'), stop],
    ],
    { tools },
  );
  const seen = await events();
  const first = seen.filter(({ type }) => type === 'tool-progress');
  expect(first.slice(0, 3)).toEqual([told('a', 2), told('b', 2), told('b', 3)]);
  expect(seen.findLastIndex((event) => event.type === 'tool-progress' && event.id === 'a')).toBeLessThan(
    seen.findIndex(({ type }) => type === 'tool-result'),
  );
  expect(JSON.stringify(log)).not.toContain('counting');
});

it('closes calls that a crash left open, and goes on with the turn', async () => {
  const history: ConversationEvent[] = [...opening, { type: 'tool_call', at, ...call('a') }];
  const { events, log, model } = turn([[text('Noon.'), stop]], { input: { history, message: undefined } });
  await events();
  expect(log).toEqual([
    {
      type: 'tool_result',
      at,
      id: 'a',
      name: 'clock',
      outcome: failure('This call was interrupted before it had a result.'),
    },
    answer('Noon.'),
  ]);
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
});

it('drops a stream that says nothing for too long, and asks again', async () => {
  const { events, waits } = turn([['hang'], [text('Noon.'), stop]], { idle: 'first' });
  const told = await events();
  expect(told.find(({ type }) => type === 'retry')).toMatchObject({
    reason: 'scripted/model said nothing for 60 s.',
  });
  expect(waits).toEqual([1_000]);
  expect(end(told)).toMatchObject({ end: { reason: 'answered' } });
});

it('asks for the same form of answer when a turn goes on, and not in the next one', async () => {
  const schema = { type: 'object' };
  const history: ConversationEvent[] = [
    { type: 'turn_start', at, turn: 1 },
    { type: 'user_message', at, text: 'Time?', schema },
  ];
  const resumed = turn([[text('{}'), stop]], { input: { history, message: undefined } });
  await resumed.events();
  expect(resumed.model.requests[0]?.schema).toEqual(schema);
  const next = turn([[text('Noon.'), stop]], { input: { history } });
  await next.events();
  expect(next.model.requests[0]).not.toHaveProperty('schema');
});
