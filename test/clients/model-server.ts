/** A stand-in for the APIs of models: it asks for the calls of a script, one at a time, and records what it is sent. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedCall {
  /** Name of a tool of ken. */
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Exchange {
  readonly path: string;
  readonly body: string;
}

export interface ModelServer {
  readonly url: string;
  /** Every request, in order. */
  readonly exchanges: Exchange[];
  /** Results of the calls, in order, as the model would read them. */
  readonly results: string[];
  /** Names of the tools that each request offers. */
  readonly offered: (readonly string[])[];
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of four foreign APIs
type Body = any;

interface Dialect {
  takes(path: string): boolean;
  /** Names of the tools that the model is offered. */
  tools(body: Body): readonly string[];
  /** Results of tools in the conversation, in order. */
  results(body: Body): readonly string[];
  call(id: string, name: string, given: object): readonly unknown[];
  say(text: string): readonly unknown[];
  /** Wire format of an event. */
  event(event: Body): string;
  readonly end?: string;
}

export async function modelServer(script: readonly ScriptedCall[]): Promise<ModelServer> {
  const exchanges: Exchange[] = [];
  const results: string[] = [];
  const offered: (readonly string[])[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, { script, exchanges, results, offered });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    results,
    offered,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface State {
  readonly script: readonly ScriptedCall[];
  readonly exchanges: Exchange[];
  readonly results: string[];
  readonly offered: (readonly string[])[];
}

async function answer(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const { exchanges } = state;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const path = request.url ?? '/';
  exchanges.push({ path, body });
  const dialect = DIALECTS.find(({ takes }) => takes(path));
  if (!dialect || request.method !== 'POST') {
    response.writeHead(request.method === 'POST' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(path.includes('count_tokens') ? '{"input_tokens":100}' : '{}');
    return;
  }
  const parsed = JSON.parse(body);
  const next = nextCall(dialect, parsed, state);
  const events = next
    ? dialect.call(`call_${exchanges.length}`, next.name, next.given)
    : dialect.say('Done.');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(dialect.event(event));
  response.end(dialect.end ?? '');
}

/** Qwen Code hides the tools of servers: its model reviews them, and calls them through a tool of its own. */
function nextCall(dialect: Dialect, body: Body, { script, results, offered: all }: State) {
  const offered = dialect.tools(body);
  all.push(offered);
  const isHidden = offered.includes('tool_call') && offered.includes('tool_search');
  // The last one is that of the entry which the client was given beside that of `ken setup`.
  const search = isHidden ? 'mcp__ken__search' : offered.findLast((name) => /ken\W?_*search$/.test(name));
  if (search === undefined) return undefined;
  const seen = dialect.results(body);
  const own = isHidden ? seen.slice(1) : seen;
  // After a compaction the conversation is shorter than what was recorded.
  if (own.length > results.length) results.push(...own.slice(results.length));
  const named = (tool: string) => search.replace(/search$/, tool);
  if (isHidden && seen.length === 0) {
    const names = [...new Set(script.map(({ tool }) => named(tool)))];
    return { name: 'tool_search', given: { query: `select:${names.join(',')}`, max_results: 20 } };
  }
  const call = script[results.length];
  if (!call) return undefined;
  const name = named(call.tool);
  return isHidden
    ? { name: 'tool_call', given: { name, arguments: call.arguments } }
    : { name, given: call.arguments };
}

const textOf = (content: Body): string =>
  typeof content === 'string'
    ? content
    : Array.isArray(content)
      ? content.map((part) => part.text ?? JSON.stringify(part)).join('\n')
      : JSON.stringify(content);

const ANTHROPIC: Dialect = {
  takes: (path) => /\/v1\/messages(?:\?|$)/.test(path),
  tools: ({ tools = [] }) => tools.map(({ name }: Body) => name),
  results: ({ messages }) =>
    messages.flatMap(({ content }: Body) =>
      Array.isArray(content)
        ? content.filter(({ type }) => type === 'tool_result').map((part) => textOf(part.content))
        : [],
    ),
  call: (id, name, given) => [
    START,
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id, name, input: {} } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(given) },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ],
  say: (text) => [
    START,
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ],
  event: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
};

const START = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'stand-in',
    content: [],
    stop_reason: null,
    usage: { input_tokens: 100, output_tokens: 1 },
  },
};

const RESPONSES: Dialect = {
  takes: (path) => /\/responses(?:\?|$)/.test(path),
  tools: ({ tools = [] }) =>
    tools.flatMap(({ name, tools: inner }: Body) =>
      Array.isArray(inner) ? inner.map((tool: Body) => `${name}/${tool.name}`) : [name ?? ''],
    ),
  results: ({ input }) =>
    (Array.isArray(input) ? input : [])
      .filter(({ type }: Body) => type === 'function_call_output')
      .map(({ output }: Body) => textOf(output)),
  call: (id, name, given) => {
    const [namespace, own] = name.includes('/') ? name.split('/') : [undefined, name];
    const item = {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: id,
      name: own,
      ...(namespace && { namespace }),
      arguments: JSON.stringify(given),
    };
    return responseOf(item);
  },
  say: (text) =>
    responseOf({
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [] }],
    }),
  event: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
};

function responseOf(item: object): readonly unknown[] {
  const usage = {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 1,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 101,
  };
  const response = { id: 'resp_1', object: 'response', status: 'completed', output: [item], usage };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
}

const CHAT: Dialect = {
  takes: (path) => /\/chat\/completions(?:\?|$)/.test(path),
  tools: ({ tools = [] }) => tools.map((tool: Body) => tool.function?.name ?? ''),
  results: ({ messages }) =>
    messages.filter(({ role }: Body) => role === 'tool').map(({ content }: Body) => textOf(content)),
  call: (id, name, given) => {
    const called = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(given) } };
    return chunksOf({ role: 'assistant', tool_calls: [called] }, 'tool_calls');
  },
  say: (text) => chunksOf({ role: 'assistant', content: text }, 'stop'),
  event: (event) => `data: ${JSON.stringify(event)}\n\n`,
  end: 'data: [DONE]\n\n',
};

function chunksOf(delta: object, finish: string): readonly unknown[] {
  const chunk = { id: 'chat_1', object: 'chat.completion.chunk', created: 1, model: 'stand-in' };
  const usage = { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 };
  return [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
  ];
}

const GEMINI: Dialect = {
  takes: (path) => /:(?:streamGenerateContent|generateContent)/.test(path),
  tools: ({ tools = [] }) =>
    tools.flatMap(({ functionDeclarations = [] }: Body) =>
      functionDeclarations.map(({ name }: Body) => name),
    ),
  results: ({ contents }) =>
    contents.flatMap(({ parts = [] }: Body) =>
      parts
        .filter((part: Body) => part.functionResponse)
        .map((part: Body) =>
          textOf(part.functionResponse.response?.output ?? part.functionResponse.response),
        ),
    ),
  call: (id, name, args) => candidate({ functionCall: { id, name, args } }),
  say: (text) => candidate({ text }),
  event: (event) => `data: ${JSON.stringify(event)}\r\n\r\n`,
};

function candidate(part: object): readonly unknown[] {
  return [
    {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 1, totalTokenCount: 101 },
      modelVersion: 'stand-in',
    },
  ];
}

const DIALECTS = [ANTHROPIC, RESPONSES, CHAT, GEMINI];
