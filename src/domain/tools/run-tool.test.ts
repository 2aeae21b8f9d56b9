import { expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import { runTool } from './run-tool.ts';
import {
  EndedCall,
  failure,
  type Receipt,
  success,
  type Tool,
  type ToolOutcome,
  type ToolProgress,
} from './tool.ts';

const never = new AbortController().signal;
const asks = (id: string): ToolOutcome => ({
  type: 'needs-input',
  question: { id, text: `${id}?`, answerType: 'text' },
});

function tool(does: (answers: JsonObject) => ToolOutcome): Tool & { readonly seen: JsonObject[] } {
  const seen: JsonObject[] = [];
  return {
    name: 't',
    description: '',
    parameters: {},
    reach: 'read',
    run: 'unattended',
    seen,
    call: async ({ answers, onProgress }) => {
      seen.push({ ...answers });
      onProgress?.({ phase: 't', done: seen.length });
      return { outcome: does(answers) };
    },
  };
}

it('runs a tool again with all the answers so far', async () => {
  const two = tool((answers) =>
    'a' in answers ? ('b' in answers ? success('done') : asks('b')) : asks('a'),
  );
  const told: ToolProgress[] = [];
  const ports = {
    answerQuestion: async ({ question }: { question: { id: string } }) => `of ${question.id}`,
    onProgress: (progress: ToolProgress) => void told.push(progress),
  };
  const { outcome } = await runTool(ports, { tool: two, arguments: {} }, never);
  expect(outcome).toEqual(success('done'));
  expect(two.seen).toEqual([{}, { a: 'of a' }, { a: 'of a', b: 'of b' }]);
  expect(told.map(({ done }) => done)).toEqual([1, 2, 3]);
});

it('gives up when nobody has an answer', async () => {
  const one = tool(() => asks('a'));
  const { outcome } = await runTool(
    { answerQuestion: async () => undefined },
    { tool: one, arguments: {} },
    never,
  );
  expect(outcome).toEqual(failure("Nobody answered the tool's question: a?"));
  expect(one.seen).toHaveLength(1);
});

it('does not answer a tool that never stops asking for ever', async () => {
  const curious = tool((answers) => asks(`q${Object.keys(answers).length}`));
  const { outcome } = await runTool(
    { answerQuestion: async () => 'yes' },
    { tool: curious, arguments: {} },
    never,
  );
  expect(outcome).toEqual(failure("Nobody answered the tool's question: q20?"));
  expect(curious.seen).toHaveLength(21);
});

it.each(['__proto__', 'constructor'])('takes an answer to a question named %s', async (id) => {
  const odd = tool((answers) => (Object.hasOwn(answers, id) ? success(String(answers[id])) : asks(id)));
  const { outcome } = await runTool(
    { answerQuestion: async () => 'yes' },
    { tool: odd, arguments: {} },
    never,
  );
  expect(outcome).toEqual(success('yes'));
});

const wrote = (path: string, more: Partial<Receipt> = {}): Receipt => ({
  milliseconds: 1.5,
  filesRead: [],
  filesWritten: [{ path, bytes: 2 }],
  stdoutBytes: 3,
  stderrBytes: 0,
  stdout: path,
  ...more,
});

/** Asks once, and has written a file each time. */
function asksAndWrites(last: () => ReturnType<Tool['call']>): Tool {
  const asking = async () => ({ outcome: asks('a'), receipt: wrote('one', { memoryPeakBytes: 9 }) });
  return { ...tool(() => asks('a')), call: ({ answers }) => ('a' in answers ? last() : asking()) };
}

const answered = (of: Tool) =>
  runTool({ answerQuestion: async () => 'yes' }, { tool: of, arguments: {} }, never);

it('tells in one receipt what all calls did that the answers took', async () => {
  const again = wrote('one', { moreFilesWritten: 4, memoryPeakBytes: 7 });
  const { receipt } = await answered(asksAndWrites(async () => ({ outcome: success(''), receipt: again })));
  expect(receipt).toEqual({
    milliseconds: 3,
    filesRead: [],
    filesWritten: [{ path: 'one', bytes: 4 }],
    moreFilesWritten: 4,
    stdoutBytes: 6,
    stderrBytes: 0,
    stdout: 'oneone',
    memoryPeakBytes: 9,
  });
});

it('lists a thousand files of all calls together, and counts the others', async () => {
  const filesRead = Array.from({ length: 1200 }, (_, at) => ({ path: `${at}`, bytes: 1 }));
  const again = wrote('two', { filesRead });
  const { receipt } = await answered(asksAndWrites(async () => ({ outcome: success(''), receipt: again })));
  expect([receipt?.filesRead.length, receipt?.moreFilesRead, receipt?.filesWritten.length]).toEqual([
    1000, 200, 2,
  ]);
});

it('tells what was done before a call that gave no result', async () => {
  const fault = new Fault('tools/timeout', 'It takes too long.', { hint: 'Wait.' });
  const files = async (failing: Fault) => {
    const failed = await answered(asksAndWrites(() => Promise.reject(failing))).catch((error) => error);
    expect(failed).toMatchObject({ code: 'tools/timeout', message: 'It takes too long.', hint: 'Wait.' });
    return failed.receipt.filesWritten.map(({ path }: { path: string }) => path);
  };
  expect(await files(fault)).toEqual(['one']);
  expect(await files(new EndedCall(fault, wrote('two', { ended: true })))).toEqual(['one', 'two']);
});
