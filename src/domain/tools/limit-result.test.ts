import { expect, it } from 'vitest';
import { limitResult, readResultTool } from './limit-result.ts';
import type { ResultStore } from './result-store.ts';
import { failure, type Outcome, success, type Tool } from './tool.ts';

function resultsInMemory(): ResultStore {
  const kept: string[] = [];
  return {
    async keep(text) {
      kept.push(text);
      return `r${kept.length}`;
    },
    async read(id, offset, maxBytes) {
      const text = kept[Number(id.slice(1)) - 1];
      if (text === undefined) return undefined;
      const part = text.slice(offset, offset + maxBytes);
      return { text: part, sizeBytes: text.length, next: offset + part.length };
    },
  };
}

function toolThatAnswers(outcome: Outcome): Tool {
  return {
    name: 't',
    description: '',
    parameters: {},
    reach: 'read',
    run: 'ask',
    call: async () => ({ outcome }),
  };
}

const signal = new AbortController().signal;
const request = { action: 'run', arguments: {}, answers: {} } as const;

it('shows the beginning of a long result, and how to read on to its end', async () => {
  const ports = { results: resultsInMemory() };
  const { outcome } = await limitResult(ports, toolThatAnswers(success('abcdefghij')), 4).call(
    request,
    signal,
  );
  expect(outcome).toEqual(
    success('abcd\n(cut: 4 of 10 bytes are shown; read on with read_result {"id":"r1","offset":4})'),
  );
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
  const tool = limitResult({ results: resultsInMemory() }, toolThatAnswers(outcome), 4);
  expect((await tool.call(request, signal)).outcome).toEqual(outcome);
});

it('shortens an error with all its causes, and leaves it one', async () => {
  const tool = limitResult({ results: resultsInMemory() }, toolThatAnswers(failure('no', ['because'])), 5);
  expect((await tool.call(request, signal)).outcome).toEqual({
    type: 'error',
    message: 'no\nbe\n(cut: 5 of 10 bytes are shown; read on with read_result {"id":"r1","offset":5})',
    trace: [],
    transient: false,
  });
});
