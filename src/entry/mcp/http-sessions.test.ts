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
  return { begin, statusOf, close: served.close };
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
