import { expect, it } from 'vitest';
import { resultsInMemory } from '../../../test/approvals/call-ports.ts';
import { limitOutcome, readResultTool } from './limit-result.ts';
import { failure, success } from './tool.ts';

const signal = new AbortController().signal;
const request = { action: 'run', arguments: {}, answers: {} } as const;

it('shows the beginning of a long result, and how to read on to its end', async () => {
  const ports = { results: resultsInMemory() };
  expect(await limitOutcome(ports, success('abcdefghij'), 4)).toEqual({
    outcome: success('abcd\n(cut: 4 of 10 bytes are shown; read on with read_result {"id":"r1","offset":4})'),
    wasCut: true,
  });
  const reader = readResultTool(ports, 4);
  const read = async (offset: number) =>
    (await reader.call({ ...request, arguments: { id: 'r1', offset } }, signal)).outcome;
  expect(await read(4)).toEqual(
    success('efgh\n(cut: 8 of 10 bytes are shown; read on with read_result {"id":"r1","offset":8})'),
  );
  expect(await read(8)).toEqual(success('ij'));
  expect(await reader.call({ ...request, arguments: { id: 'r9', offset: 0 } }, signal)).toEqual({
    outcome: failure('There is no result "r9"; results are kept for a few days only.'),
  });
});

it.each([
  ['a result that fits', success('abcd')],
  [
    'a question',
    { type: 'needs-input', question: { id: 'q', text: 'long enough', answerType: 'text' } } as const,
  ],
  ['an error that fits', failure('abc', ['d'].slice(1))],
])('leaves %s as it is', async (_, outcome) => {
  expect(await limitOutcome({ results: resultsInMemory() }, outcome, 4)).toEqual({ outcome });
});

it('shortens an error with all its causes, and leaves it one', async () => {
  expect(await limitOutcome({ results: resultsInMemory() }, failure('no', ['because']), 5)).toEqual({
    outcome: failure(
      'no\nbe\n(cut: 5 of 10 bytes are shown; read on with read_result {"id":"r1","offset":5})',
    ),
    wasCut: true,
  });
});
