import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadTable, type Measured } from '../bench/load/growth.ts';
import { measure } from '../bench/measure.ts';
import { outcomeOf, type Result, resultTable, verdictOf } from '../bench/result.ts';
import type { Side } from '../bench/row.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Two sides that take these times, the last one for ever, and note who ran. */
function sides(subject: readonly number[], floor: readonly number[]) {
  const order: string[] = [];
  const side = (name: string, times: readonly number[]): Side => {
    let run = 0;
    return () => {
      order.push(name);
      return times[Math.min(run++, times.length - 1)] ?? 0;
    };
  };
  return { order, subject: side('subject', subject), floor: side('floor', floor) };
}

it('takes turns, counts the best, and not the first run', async () => {
  const both = sides([1, 250, 220, 230], [1, 120, 100, 110]);
  expect(await measure({}, both)).toEqual({ subjectMs: 220, floorMs: 100, ratio: 2.2, runs: 10 });
  expect(both.order.join(' ')).toBe(Array.from({ length: 11 }, () => 'floor subject').join(' '));
});

it('goes on until each side has run for a second', async () => {
  expect((await measure({}, sides([50], [10]))).runs).toBe(100);
});

it('looks three times as long before a bar counts as missed', async () => {
  const slowAtFirst = [300, ...Array.from({ length: 12 }, () => 300), 120];
  expect(await measure({ bar: 1.3 }, sides(slowAtFirst, [100]))).toEqual({
    subjectMs: 120,
    floorMs: 100,
    ratio: 1.2,
    runs: 30,
  });
});

it('can count the 95th of a hundred', async () => {
  const rising = Array.from({ length: 101 }, (_, index) => index);
  const { subjectMs, runs } = await measure({ statistic: 'p95' }, sides(rising, [10]));
  expect([subjectMs, runs]).toEqual([95, 100]);
});

it('prints one table', () => {
  const results: Result[] = [
    {
      name: 'start',
      subject: 'ken --version',
      floor: 'node -e 0',
      floorMs: 20,
      subjectMs: 24,
      value: 1.2,
      bar: 1.3,
      verdict: 'met',
    },
    {
      name: 'slow',
      subject: 'ken x',
      floor: 'node -e 0',
      floorMs: 20,
      subjectMs: 124.04,
      value: 6.202,
      bar: 5,
      verdict: 'missed',
    },
    { name: 'memory', subject: 'indexing', value: 512.3, unit: 'MiB', verdict: 'information' },
  ];
  expect(resultTable(results)).toBe(
    [
      'row     what           floor      floor ms     ms   result       bar  verdict',
      'start   ken --version  node -e 0      20.0   24.0   1.20 ×  ≤ 1.30 ×  met',
      'slow    ken x          node -e 0      20.0  124.0   6.20 ×  ≤ 5.00 ×  MISSED',
      'memory  indexing       –                 –      –  512 MiB         –',
    ].join('\n'),
  );
});

it('tells each result as soon as it is measured', () => {
  const measured = { name: 'slow', subject: 'ken x', value: 6.202, bar: 5, verdict: 'missed' } as const;
  expect(outcomeOf(measured)).toBe('6.20 × ≤ 5.00 × MISSED');
  expect(
    outcomeOf({ name: 'memory', subject: 'indexing', value: 512.3, unit: 'MiB', verdict: 'information' }),
  ).toBe('512 MiB –');
});

it.each([
  [1.2, 1.3, 'met'],
  [1.3, 1.3, 'met'],
  [1.31, 1.3, 'missed'],
  [9, undefined, 'information'],
] as const)('%d against a bar of %s: %s', (value, bar, verdict) => {
  expect(verdictOf(value, bar)).toBe(verdict);
});

it('shows the loads in the documents as they were measured', () => {
  const root = path.join(import.meta.dirname, '..');
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const { areas }: { areas: readonly Measured[] } = JSON.parse(read('bench/load/results.json'));
  const [, shown = ''] =
    /<!-- load tables -->\n(.*?)\n<!-- end of load tables -->/s.exec(read('docs/benchmarks.md')) ?? [];
  expect(shown).toBe(areas.map(loadTable).join('\n\n'));
  expect(areas.length).toBeGreaterThan(0);
});

it('reads the texts of a collection under the names that they would have in ken', async () => {
  const data = temporaryDirectory();
  const folder = path.join(data, 'retrieval/cosqa');
  mkdirSync(folder, { recursive: true });
  const texts = [
    { id: 'd7', text: 'def open_store(path):\n    pass\n' },
    { id: 'a/b:src/store.ts#Store.open.3', repo: 'a/b', file: 'a/b:src/store.ts', text: 'open() {}' },
    { id: 'p1', title: 'Keys', group: 'a/b', parent: 'docs/keys.md', text: 'Rotate them.' },
  ];
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  writeFileSync(path.join(folder, 'corpus.jsonl.gz'), gzipSync(lines(texts)));
  writeFileSync(path.join(folder, 'queries.jsonl'), lines([{ id: 'q', text: 'open', split: 'dev' }]));
  writeFileSync(path.join(folder, 'qrels.jsonl'), lines([{ qid: 'q', did: 'd7', rel: 1 }]));
  vi.stubEnv('KEN_TEST_DATA', data);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules();
  const { readCollection } = await import('../bench/retrieval/collections.ts');
  const named = readCollection('cosqa').texts.map(({ path: file, title, heading }) => [file, title, heading]);
  expect(named).toEqual([
    ['d7.py', '', 'open_store'],
    ['src/store.ts', 'b', 'Store.open'],
    ['docs/keys.md', 'b', 'Keys'],
  ]);
});
