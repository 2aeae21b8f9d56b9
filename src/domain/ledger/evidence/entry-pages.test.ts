import { expect, it } from 'vitest';
import { ledgerPorts } from '../../../../test/ledger/ledger-ports.ts';
import { adding } from '../store.contract.ts';
import { entryPages } from './entry-pages.ts';

it('gives every entry once, and few of them at a time', async () => {
  const { ledger } = ledgerPorts('pending');
  for (let at = 0; at < 120; at++) await ledger.add(adding(`e${at}`, at, { text: `Only ${at}.` }));
  const pages: string[][] = [];
  for await (const page of entryPages(ledger)) pages.push(page.map(({ id }) => id));
  expect(pages.map(({ length }) => length)).toEqual([40, 40, 40]);
  expect(pages.flat()).toEqual(Array.from({ length: 120 }, (_, at) => `e${119 - at}`));
});
