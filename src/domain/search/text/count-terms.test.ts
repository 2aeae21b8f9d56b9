import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TermCounter } from './count-terms.ts';
import { CROWDED, RunTable, UNKNOWN } from './run-table.ts';
import { scanRuns } from './scan-runs.ts';
import { splitWord } from './split-word.ts';
import { stem } from './stem.ts';

function runsOf(text: string): string[] {
  const runs: string[] = [];
  scanRuns(text, (_, start, end) => runs.push(text.slice(start, end)));
  return runs;
}

function countsOf(counter: TermCounter): Record<string, number> {
  const numbers = [...counter.touched.slice(0, counter.found)];
  return Object.fromEntries(
    numbers.map((number) => [counter.terms[number] ?? '', counter.counts[number] ?? 0]),
  );
}

it.each([
  ['', []],
  ['one two', ['one', 'two']],
  ['a.b(c)', ['a', 'b', 'c']],
  ['dry-run --flag x-', ['dry-run', 'flag', 'x']],
  ['snake_case $x', ['snake_case', 'x']],
  ['naïve日本!', ['naïve日本']],
  ['\u0000a\u0000', ['a']],
])('finds the runs of %j', (text, runs) => {
  expect(runsOf(text)).toEqual(runs);
});

it('finds the runs that a pattern finds', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'aZ0_- .é日\n"') }), (text) => {
      expect(runsOf(text)).toEqual(text.match(/[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*/gu) ?? []);
    }),
  );
});

it('counts with weights, and starts again for the next text', () => {
  const counter = new TermCounter();
  counter.add('Indexing the index', 2);
  counter.add('readIndex', 6);
  expect(countsOf(counter)).toEqual({ index: 10, the: 2, read: 6, readindex: 6 });
  expect(counter.length).toBe(24);
  counter.next();
  counter.add('the other', 1);
  expect(countsOf(counter)).toEqual({ the: 1, other: 1 });
});

it('counts the same whether it has seen a run before or not', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom(...'abAB1_ -.日本é'), maxLength: 80 }));
  fc.assert(
    fc.property(texts, (all) => {
      const counter = new TermCounter();
      for (const text of all) {
        const expected: Record<string, number> = {};
        for (const run of runsOf(text)) {
          for (const word of splitWord(run, 'text')) expected[stem(word)] = (expected[stem(word)] ?? 0) + 1;
        }
        counter.next();
        counter.add(text, 1);
        expect(countsOf(counter)).toEqual(expected);
      }
    }),
  );
});

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
