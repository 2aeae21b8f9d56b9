/** HTTP sessions for clients of 2025-11-25: each has a server that knows the client and can send it requests. */

import {
  isInitializeRequest,
  legacyStatelessFallback,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

export interface HttpSessions {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Maximum of open sessions; the least recently used one is closed first. */
const MOST_SESSIONS = 64;

export interface SessionInput {
  newId(): string;
  onError(error: Error): void;
}

export function httpSessions(factory: McpServerFactory, { newId, onError }: SessionInput): HttpSessions {
  /** Most recently used last. */
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const stateless = legacyStatelessFallback(factory, onError);

  async function begin(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: newId,
      onsessioninitialized: (id) => void open.set(id, transport),
      onsessionclosed: (id) => void open.delete(id),
    });
    const [oldest] = open.size >= MOST_SESSIONS ? open.keys() : [];
    if (oldest !== undefined) await end(oldest);
    await (await factory({ era: 'legacy', requestInfo: request })).connect(transport);
    return transport.handleRequest(request);
  }

  async function end(id: string): Promise<void> {
    const transport = open.get(id);
    open.delete(id);
    await transport?.close();
  }

  return {
    async fetch(request) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return (await isInitialize(request)) ? begin(request) : stateless(request);
      const transport = open.get(id);
      if (!transport) return unknownSession();
      open.delete(id);
      open.set(id, transport);
      return boundTo(request, await transport.handleRequest(request));
    },
    async close() {
      await Promise.all([...open.keys()].map(end));
    },
  };
}

/** An event stream that begins and ends with its connection; for both, adapters of Node wait for an event. */
function boundTo({ method, signal }: Request, response: Response): Response {
  if (method !== 'GET' || !response.ok || !response.body) return response;
  const events = response.body.getReader();
  const end = () => void events.cancel().catch(() => {});
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(OPEN);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    },
    async pull(controller) {
      const { done, value } = await events.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: end,
  });
  return new Response(body, response);
}

/** A comment, which clients pass over. */
const OPEN = new TextEncoder().encode(': open\n\n');

async function isInitialize(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  try {
    return isInitializeRequest(await request.clone().json());
  } catch {
    return false;
  }
}

/** Status 404 tells the client to start a new session. */
function unknownSession(): Response {
  const error = { code: -32001, message: 'This server does not know the session.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
