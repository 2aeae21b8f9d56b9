import { expect, it } from 'vitest';
import { ledgerPorts } from '../../../test/ledger/ledger-ports.ts';
import type { JsonObject } from '../../base/json.ts';
import { ledgerTools } from './ledger-tools.ts';

function opened() {
  const ports = ledgerPorts('pending');
  const tools = ledgerTools(ports, { name: 'ghost', run: 'talk' });
  const call = async (name: string, given: JsonObject) => {
    const found = tools.find((each) => each.name === name);
    const request = { action: 'run', arguments: given, answers: {} } as const;
    return (await found?.call(request, new AbortController().signal))?.outcome;
  };
  return { ...ports, call };
}

it('lets an assistant add, find and judge facts under its own name', async () => {
  const { call, ledger } = opened();
  const fact = { title: 'Ports', text: 'The API is on 8080.', provenance: ['cmd:ss -ltn'] };
  expect(await call('knowledge_add', fact)).toMatchObject({ type: 'success' });
  const [entry] = await ledger.list({ limit: 1 });
  const id = entry?.id ?? '';
  expect(await call('knowledge_search', { query: 'api' })).toEqual({
    type: 'success',
    text: `[${id}] Ports (1000Z)\nThe API is on 8080.\nSource: cmd:ss -ltn`,
  });
  const said = { query: 'api', returned_ids: [id], used_ids: [id], outcome: 'helped' };
  expect(await call('knowledge_feedback', said)).toMatchObject({ type: 'success' });
  expect((await ledger.events()).map(({ type, actor, run }) => [type, actor, run])).toEqual([
    ['add', 'ghost', 'talk'],
    ['retrieval', 'ghost', 'talk'],
  ]);
  expect(await call('knowledge_search', { query: 'zebra' })).toMatchObject({
    text: 'Nothing is known about this.',
  });
  expect(await call('knowledge_add', { ...fact, provenance: ['x'] })).toMatchObject({ type: 'error' });
});

it('only proposes a promotion: the record waits for a person', async () => {
  const { call, ledger, approvals } = opened();
  await call('knowledge_add', { title: 'Ports', text: 'Use 8080.', provenance: ['cmd:x'] });
  const [entry] = await ledger.list({ limit: 1 });
  const given = {
    source_entry_id: entry?.id ?? '',
    evidence_refs: ['commit:abc'],
    reason: 'r',
    as: 'procedural/ports',
  };
  expect(await call('knowledge_promote', given)).toMatchObject({
    type: 'error',
    message: expect.stringMatching(/^APPROVAL_REQUIRED:KNOWLEDGE_PROMOTE:/),
  });
  expect(await approvals.list({ statuses: ['pending'] }, 1_000_000)).toMatchObject([{ actor: 'ghost' }]);
  expect(await ledger.entries(['procedural/ports'])).toEqual([]);
});
