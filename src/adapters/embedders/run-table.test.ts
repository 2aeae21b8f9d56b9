import { expect, it } from 'vitest';
import { CROWDED, RunTable, UNKNOWN } from './run-table.ts';

it('does not remember runs whose hashes were made to collide', () => {
  const table = new RunTable();
  const runs = Array.from({ length: 200 }, (_, at) => `r${at}`);
  const found = runs.map((run) => {
    const before = table.find(run, 0, run.length, 7);
    if (before === UNKNOWN) table.remember(run, 0, run.length, 7, [1]);
    return before;
  });
  expect(found.filter((each) => each === UNKNOWN)).toHaveLength(64);
  expect(found.filter((each) => each === CROWDED)).toHaveLength(136);
});

it('keeps thousands of runs apart', () => {
  const table = new RunTable();
  const runs = Array.from({ length: 20_000 }, (_, at) => `run${at}`);
  for (const [at, run] of runs.entries()) {
    if (table.find(run, 0, run.length, at * 31) === UNKNOWN)
      table.remember(run, 0, run.length, at * 31, [at, at + 1]);
  }
  for (const [at, run] of runs.entries()) {
    const number = table.find(`..${run}`, 2, run.length + 2, at * 31);
    expect([table.value(table.start(number)), table.end(number) - table.start(number)]).toEqual([at, 2]);
  }
});
