import { readdirSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/temporary-directory.ts';
import { systemClock, systemIds } from '../system/primitives.ts';
import { resultStoreOnDisk } from './result-store.ts';

const ports = { clock: systemClock, ids: systemIds(systemClock) };

it('gives back a result in parts of whole characters, nothing lost and nothing twice', async () => {
  const store = resultStoreOnDisk(ports, temporaryDirectory());
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.integer({ min: 4, max: 20 }),
      async (text, maxBytes) => {
        const whole = text.toWellFormed();
        const id = await store.keep(whole);
        let read = '';
        for (let offset = 0, size = 1; offset < size; ) {
          const part = await store.read(id, offset, maxBytes);
          if (!part) throw new Error('lost');
          read += part.text;
          expect(part.next > offset || part.sizeBytes === 0).toBe(true);
          offset = part.next;
          size = part.sizeBytes;
        }
        expect(read).toBe(whole);
      },
    ),
    { numRuns: 50 },
  );
});

it('keeps results to their owner, and forgets old ones', async () => {
  const directory = path.join(temporaryDirectory(), 'results');
  const store = resultStoreOnDisk(ports, directory);
  const old = await store.keep('old');
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(directory, `${old}.txt`)).mode & 0o777).toBe(0o600);
  utimesSync(path.join(directory, `${old}.txt`), 1, 1);
  const young = await store.keep('young');
  expect(readdirSync(directory)).toEqual([`${young}.txt`]);
});

it.each(['', '../x', 'a', '01K9ZZZZZZZZZZZZZZZZZZZZZZ', `${'A'.repeat(25)}/`])(
  'has no result %j',
  async (id) => {
    expect(await resultStoreOnDisk(ports, temporaryDirectory()).read(id, 0, 10)).toBeUndefined();
  },
);
