import { expect, it } from 'vitest';
import { ledgerPorts } from '../../../../test/ledger/ledger-ports.ts';
import { approvalsInMemory, indexInMemory, withMethods } from '../../../../test/stores-in-memory.ts';
import { systemHasher } from '../../../adapters/system/primitives.ts';
import { granted } from '../../approvals/approval-fault.ts';
import { seekApproval } from '../../approvals/seek-approval.ts';
import { addEntry } from '../../ledger/add-entry.ts';
import { promoteAsApproved, proposal } from '../../ledger/promotion/promote-entry.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { searchEngine } from '../engine/search-engine.ts';
import { searchEverything } from '../engine/search-everything.ts';
import { syncIndex } from '../index/sync-index.ts';
import { entrySource } from './entry-source.ts';

const actor = { name: 'ada', run: 'r' };
const signal = new AbortController().signal;

function opened(watched = (ledger: LedgerStore) => ledger) {
  const given = ledgerPorts('allow');
  const ports = { ...given, ledger: watched(given.ledger) };
  const store = indexInMemory();
  const add = (id: string, text: string) =>
    addEntry(ports, { id, title: id, text, provenance: ['cmd:x'], actor });
  const search = async (text: string, approvals = ports.approvals) => {
    const source = entrySource({ ...ports, approvals });
    const sync = async () => (await syncIndex({ store, embedder: undefined }, [source], signal)).failures;
    const question = { text, limit: 10, labels: [], explain: false };
    const indexes = [{ store, sources: [source], sync }];
    const engine = searchEngine({ stores: [store], embedder: undefined });
    return (await searchEverything({ engine, indexes }, question, signal)).hits;
  };
  return { ...ports, add, search };
}

it('puts a rule first that the operator approved, and calls it one by that approval alone', async () => {
  const { add, search, ...ports } = opened();
  await add('source', 'Deploy ferries on Monday.');
  const input = {
    sourceId: 'source',
    evidence: ['e'],
    reason: 'r',
    as: 'procedural/deploy',
    actor,
    workspace: '/w',
  };
  const approval = granted(await seekApproval(ports, await proposal(ports, input), signal));
  await promoteAsApproved(ports, approval);
  const tiers = async (approvals?: typeof ports.approvals) =>
    (await search('deploy ferries on monday', approvals)).map(({ id, trust }) => [id, trust.tier]);
  expect(await tiers()).toEqual([
    ['procedural/deploy', 'procedural'],
    ['source', 'entry'],
  ]);
  expect(await tiers(approvalsInMemory())).toContainEqual(['procedural/deploy', 'entry']);
});

it('reads a large ledger a few hundred entries at a time, and again only what has changed', async () => {
  let reads = 0;
  const { add, search } = opened((ledger) =>
    withMethods(ledger, {
      entries: (...given) => {
        reads += 1;
        return ledger.entries(...given);
      },
    }),
  );
  for (let at = 0; at < 450; at++) await add(`entry-${at}`, `Ferry number${at} sails.`);
  reads = 0;
  expect((await search('number449'))[0]?.id).toBe('entry-449');
  expect(reads).toBe(4);
  reads = 0;
  await search('number449');
  expect(reads).toBe(1);
});

it('cites the lines of a long entry, and nothing but the entry for a short one', async () => {
  const { add, search } = opened();
  await add('short', 'Ferries sail.\nAt noon.');
  const paragraph = `${'Gulls steal sandwiches. '.repeat(60)}\n`;
  await add('long', `${paragraph}\n${paragraph}\nFerries rest on Sundays.\n`);
  expect((await search('ferries sail'))[0]?.citation).toEqual({
    uri: 'ken://entry/short@v1',
    sha256: systemHasher.sha256('Ferries sail.\nAt noon.'),
  });
  expect((await search('ferries rest sundays'))[0]?.citation).toEqual({
    uri: 'ken://entry/long@v1#L3-L5',
    lines: { first: 3, last: 5 },
    sha256: systemHasher.sha256(`${paragraph}\nFerries rest on Sundays.`),
  });
});

it('finds an entry by the claim that it belongs to', async () => {
  const { add, search, ...ports } = opened();
  await add('ports', 'The API listens on 8080.');
  const claimed = { id: 'timer', title: 'timer', text: 'Twelve minutes.', claimId: 'seat-reservation' };
  await addEntry(ports, { ...claimed, provenance: ['cmd:x'], actor });
  expect((await search('seat reservation')).map(({ id }) => id)).toEqual(['timer']);
});
