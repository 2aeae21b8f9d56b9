import { expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { runTool } from './run-tool.ts';
import { failure, success, type Tool, type ToolOutcome, type ToolProgress } from './tool.ts';

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
