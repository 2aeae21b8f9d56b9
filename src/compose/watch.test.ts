import { utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/temporary-directory.ts';
import { openRefreshTurns } from './watch.ts';

const DAY = 86_400_000;

it('gives one turn a period, to one process at a time', async () => {
  const state = temporaryDirectory();
  const open = () => openRefreshTurns({ directories: { state } });
  const first = await open().take(DAY);
  expect(first).toBeDefined();
  expect(await open().take(0)).toBeUndefined();
  await first?.release();
  expect(await open().take(DAY)).toBeUndefined();
  const yesterday = (Date.now() - DAY - 1000) / 1000;
  utimesSync(path.join(state, 'refresh/last'), yesterday, yesterday);
  const second = await open().take(DAY);
  expect(second).toBeDefined();
  await second?.release();
  const tomorrow = (Date.now() + DAY) / 1000;
  utimesSync(path.join(state, 'refresh/last'), tomorrow, tomorrow);
  const third = await open().take(DAY);
  expect(third).toBeDefined();
  await third?.release();
});

it('has no turn where nothing can be written', async () => {
  expect(await openRefreshTurns({ directories: { state: '/dev/null/state' } }).take(DAY)).toBeUndefined();
});
