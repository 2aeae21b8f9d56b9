import { expect, it } from 'vitest';
import { ledgerPorts } from '../../../../test/ledger/ledger-ports.ts';
import { fixedClock } from '../../../base/time.ts';
import { adding, stamp } from '../store.contract.ts';
import { UNSHARED_LEDGER } from '../store.ts';
import { auditEntries } from './audit-entries.ts';
import { auditTexts } from './audit-texts.ts';
import { memoryScratch } from './scratch.ts';

const DAY = 86_400;

it('names what no retrieval has returned in thirty days, and nothing younger or already used', async () => {
  const { ledger, ...ports } = ledgerPorts('pending');
  for (const [id, at] of Object.entries({ old: 0, used: 0, young: 1 }))
    await ledger.add(adding(id, at, { text: `Only ${id}.` }));
  const said = { query: 'q', outcome: 'neutral', source: 'invocation' } as const;
  await ledger.recordRetrieval({ ...said, returnedIds: ['used'], usedIds: [], stamp: stamp(5) });
  const audited = async (now: number) => {
    const clock = fixedClock(now * 1000);
    const found: string[] = [];
    const own = {
      clock,
      promotionLines: async () => [],
      openScratch: memoryScratch,
      sharedLedger: UNSHARED_LEDGER,
    };
    await auditEntries({ ...ports, ledger, ...own }, ({ kind, ids }) =>
      found.push(`${kind} ${ids.join(' ')}`),
    );
    return found;
  };
  expect(await audited(30 * DAY - 1)).toEqual([]);
  expect(await audited(30 * DAY)).toEqual(['never_retrieved old']);
});

it('calls keys that read the same contradictory only where the texts differ', async () => {
  const text = (id: string, mergeKey: string | undefined, said: string) => ({ id, mergeKey, text: said });
  const found = async (...texts: ReturnType<typeof text>[]) => {
    const pages = async function* () {
      yield texts;
    };
    const all: string[] = [];
    await auditTexts(memoryScratch, pages, ({ kind, ids }) => all.push(`${kind} ${ids.join(' ')}`));
    return all;
  };
  expect(await found(text('a', 'Auth-Flow', 'Port 1.'), text('b', 'auth_flow', 'Port 2.'))).toEqual([
    'contradictory_key a b',
  ]);
  expect(await found(text('a', 'Auth-Flow', 'Port 1.'), text('b', 'auth_flow', 'port  1.'))).toEqual([
    'exact_duplicate a b',
  ]);
  expect(await found(text('a', undefined, 'Port 1.'), text('b', undefined, 'Port 2.'))).toEqual([]);
});

it('passes over what comes between its two readings, and finds the same', async () => {
  const all = Array.from({ length: 2000 }, (_, at) => ({
    id: `id-${at}`,
    mergeKey: undefined,
    text: at % 1000 === 7 ? 'The same words in two entries.' : `Only ${at} and ${at * 7}.`,
  }));
  let reading = 0;
  const pages = async function* () {
    reading += 1;
    if (reading === 2) yield [{ id: 'new', mergeKey: undefined, text: 'The same words in two entries.' }];
    yield reading === 2 ? all.toSpliced(3, 2) : all;
  };
  const found: string[] = [];
  await auditTexts(memoryScratch, pages, ({ kind, ids }) => found.push(`${kind} ${ids.join(' ')}`));
  expect(found).toEqual(['exact_duplicate id-7 id-1007']);
});
