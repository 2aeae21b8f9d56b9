import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { logParts, readEventLog } from './read-event-log.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** About a megabyte. */
function turn(number: number): string {
  const events = [
    { type: 'turn_start', at: AT, turn: number },
    { type: 'user_message', at: AT, text: `Question ${number}? {"type":"turn_start"` },
    { type: 'assistant_message', at: AT, text: 'ä'.repeat(500_000), model: 'x/y', finish: 'stop' },
  ];
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

function logOf(...numbers: readonly number[]): string {
  const file = path.join(temporaryDirectory(), 'events.jsonl');
  writeFileSync(file, numbers.map(turn).join(''));
  return file;
}

const numbers = (length: number) => Array.from({ length }, (_, at) => at + 1);

it('parts begin with a turn, and hold every event once', async () => {
  const file = logOf(...numbers(11));
  const parts = await Promise.all(logParts(file).map((part) => part.events()));
  expect(parts.map(([first]) => first?.type)).toEqual(['turn_start', 'turn_start', 'turn_start']);
  expect(parts.flat()).toEqual(readEventLog(file).events);
});

it('a turn more changes the last part only', () => {
  const file = logOf(...numbers(11));
  const before = logParts(file).map(({ stamp }) => stamp);
  appendFileSync(file, turn(12));
  const after = logParts(file).map(({ stamp }) => stamp);
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[2]).not.toBe(before[2]);
  for (let number = 13; number < 20; number++) appendFileSync(file, turn(number));
  expect(logParts(file).map(({ stamp }) => stamp)).toHaveLength(4);
  expect(logParts(file)[1]?.stamp).toBe(before[1]);
});

it.each([
  ['an empty log', ''],
  ['half a line', '{"type":"turn_sta'],
  ['a short log', turn(1)],
])('%s is one part', async (_, content) => {
  const file = path.join(temporaryDirectory(), 'events.jsonl');
  writeFileSync(file, content);
  const [part, ...others] = logParts(file);
  expect(others).toEqual([]);
  expect(await part?.events()).toEqual(readEventLog(file).events);
});
