import { expect, it } from 'vitest';
import { ledgerPorts } from '../../../../test/ledger/ledger-ports.ts';
import { fixedClock } from '../../../base/time.ts';
import { adding, stamp } from '../store.contract.ts';
import { UNSHARED_LEDGER } from '../store.ts';
import { auditEntries } from './audit-entries.ts';
import { auditTexts } from './audit-texts.ts';

const DAY = 86_400;

it('names what no retrieval has returned in thirty days, and nothing younger or already used', async () => {
  const { ledger, ...ports } = ledgerPorts('pending');
  for (const [id, at] of Object.entries({ old: 0, used: 0, young: 1 }))
    await ledger.add(adding(id, at, { text: `Only ${id}.` }));
  const said = { query: 'q', outcome: 'neutral', source: 'invocation' } as const;
  await ledger.recordRetrieval({ ...said, returnedIds: ['used'], usedIds: [], stamp: stamp(5) });
  const audited = async (now: number) => {
    const clock = fixedClock(now * 1000);
    const { findings } = await auditEntries({
      ...ports,
      ledger,
      sharedLedger: UNSHARED_LEDGER,
      clock,
      promotionLines: async () => [],
    });
    return findings.map(({ kind, ids }) => `${kind} ${ids.join(' ')}`);
  };
  expect(await audited(30 * DAY - 1)).toEqual([]);
  expect(await audited(30 * DAY)).toEqual(['never_retrieved old']);
});

it('calls keys that read the same contradictory only where the texts differ', () => {
  const text = (id: string, mergeKey: string | undefined, said: string) => ({ id, mergeKey, text: said });
  const found = (...texts: ReturnType<typeof text>[]) =>
    auditTexts(texts).map(({ kind, ids }) => `${kind} ${ids.join(' ')}`);
  expect(found(text('a', 'Auth-Flow', 'Port 1.'), text('b', 'auth_flow', 'Port 2.'))).toEqual([
    'contradictory_key a b',
  ]);
  expect(found(text('a', 'Auth-Flow', 'Port 1.'), text('b', 'auth_flow', 'port  1.'))).toEqual([
    'exact_duplicate a b',
  ]);
  expect(found(text('a', undefined, 'Port 1.'), text('b', undefined, 'Port 2.'))).toEqual([]);
});
