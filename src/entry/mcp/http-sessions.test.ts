import { Server } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import { httpSessions } from './http-sessions.ts';

const URL = 'http://127.0.0.1:1/mcp';
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

function sessions() {
  let made = 0;
  const factory = () => new Server({ name: 'x', version: '1' }, { capabilities: {} });
  const served = httpSessions(factory, { newId: () => `session-${made++}`, onError: () => {} });
  const send = (message: object, session?: string) =>
    served.fetch(
      new Request(URL, {
        method: 'POST',
        headers: { ...HEADERS, ...(session !== undefined && { 'mcp-session-id': session }) },
        body: JSON.stringify(message),
      }),
    );
  const begin = async () => (await send(INITIALIZE)).headers.get('mcp-session-id') ?? '';
  const statusOf = async (session: string) =>
    (await send({ jsonrpc: '2.0', id: 2, method: 'ping' }, session)).status;
  const listen = (session: string, signal: AbortSignal) =>
    served.fetch(
      new Request(URL, { headers: { accept: 'text/event-stream', 'mcp-session-id': session }, signal }),
    );
  return { begin, statusOf, listen, close: served.close };
}

it('forgets the client that was silent longest when there are too many', async () => {
  const { begin, statusOf, close } = sessions();
  const first = await begin();
  const second = await begin();
  for (let more = 2; more < 64; more++) await begin();
  expect(await statusOf(first)).toBe(200);
  const last = await begin();
  expect([await statusOf(first), await statusOf(second), await statusOf(last)]).toEqual([200, 404, 200]);
  await close();
});

it('tells a client whose session it does not know to begin anew', async () => {
  const { begin, statusOf, close } = sessions();
  expect(await statusOf('made-up')).toBe(404);
  const session = await begin();
  await close();
  expect(await statusOf(session)).toBe(404);
});

it('begins an event stream at once, and opens another when its connection has ended', async () => {
  const { begin, listen, close } = sessions();
  const session = await begin();
  const connection = new AbortController();
  const first = await listen(session, connection.signal);
  const events = first.body?.getReader();
  expect(new TextDecoder().decode((await events?.read())?.value)).toBe(': open\n\n');
  expect((await listen(session, AbortSignal.timeout(60_000))).status).toBe(409);
  const next = events?.read();
  connection.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  const second = await listen(session, AbortSignal.timeout(60_000));
  expect([second.status, second.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  await close();
});

it('opens no event stream for a connection that has already ended', async () => {
  const { begin, listen, close } = sessions();
  const session = await begin();
  await listen(session, AbortSignal.abort());
  expect((await listen(session, AbortSignal.timeout(60_000))).status).toBe(200);
  await close();
});
