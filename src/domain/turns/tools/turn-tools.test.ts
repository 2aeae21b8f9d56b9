import { expect, it } from 'vitest';
import { callPorts } from '../../../../test/approvals/call-ports.ts';
import { scriptedApprover } from '../../../../test/doubles/approvers.ts';
import type { Tool, ToolOutcome, ToolRequest } from '../../tools/tool.ts';
import { failure, success } from '../../tools/tool.ts';
import { turnTools } from './turn-tools.ts';

const never = new AbortController().signal;
const watch = { conversation: 'c1', recordDecision: async () => {}, onProgress: () => {} };
const call = { id: 'a', name: 'paint', arguments: { color: 'red' } };
const yes = { verdict: 'approve', by: 'ada', through: 'terminal' } as const;

type Does = (request: ToolRequest, signal: AbortSignal) => Promise<ToolOutcome>;

async function paint(does: Does, run: Tool['run'] = 'ask') {
  const requests: ToolRequest[] = [];
  const tool: Tool = {
    name: 'paint',
    description: '',
    parameters: { type: 'object', properties: { color: { type: 'string' } }, additionalProperties: false },
    reach: 'execute',
    run,
    call: async (request, signal) => {
      requests.push(request);
      return { outcome: await does(request, signal) };
    },
  };
  const approver = scriptedApprover(yes);
  const tools = turnTools(await callPorts(approver), { tools: [tool], workspace: '/w', actor: 'ken' });
  const asked = () => approver.asked.map(({ reason, summary, actor }) => ({ reason, summary, actor }));
  return { tools, requests, asked };
}

const reason = { type: 'tool_run', tool: 'paint', arguments: { color: 'red' } };

it('asks a tool once how it shows a call, for the terminal and for the approval, before it runs', async () => {
  const { tools, requests, asked } = await paint(async ({ action }) =>
    success(action === 'run' ? 'done' : 'in red'),
  );
  expect(await tools.describe(call)).toBe('paint in red');
  expect(await tools.call(call, watch, never)).toEqual({ outcome: success('done') });
  expect(asked()).toEqual([{ reason, summary: "Run tool 'paint'? in red", actor: 'ken' }]);
  expect(requests.map(({ action }) => action)).toEqual(['format-arguments', 'run']);
});

it.each<[string, Does]>([
  ['fails at it', async ({ action }) => (action === 'run' ? success('done') : failure('no'))],
  ['says nothing', async ({ action }) => success(action === 'run' ? 'done' : '')],
  ['breaks', async ({ action }) => (action === 'run' ? success('done') : Promise.reject(new Error('no')))],
  [
    'does not answer within a second',
    ({ action }, signal) =>
      action === 'run'
        ? Promise.resolve(success('done'))
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ],
])('shows the arguments as JSON when a tool %s', async (_, does) => {
  const { tools, asked } = await paint(does);
  expect(await tools.describe(call)).toBe('paint {"color":"red"}');
  expect(await tools.call(call, watch, never)).toEqual({ outcome: success('done') });
  expect(asked()).toEqual([{ reason, summary: "Run tool 'paint'?", actor: 'ken' }]);
});

it('asks nothing of a tool for arguments that do not fit', async () => {
  const { tools, requests, asked } = await paint(async () => success('done'));
  const odd = { ...call, arguments: { colour: 'red' } };
  expect(await tools.describe(odd)).toBe('paint {"colour":"red"}');
  expect((await tools.call(odd, watch, never)).outcome).toMatchObject({
    type: 'error',
    message: expect.stringContaining('colour'),
  });
  expect([requests, asked()]).toEqual([[], []]);
});

it('neither offers nor runs a tool that is denied', async () => {
  const { tools, requests } = await paint(async () => success('done'), 'deny');
  expect(tools.definitions).toEqual([]);
  expect((await tools.call(call, watch, never)).outcome).toMatchObject({
    message: 'There is no tool named "paint". Known tools: none.',
  });
  expect(requests).toEqual([]);
});

it('asks nobody about a tool that needs no leave', async () => {
  const { tools, asked } = await paint(async () => success('done'), 'unattended');
  expect(await tools.call(call, watch, never)).toEqual({ outcome: success('done') });
  expect(asked()).toEqual([]);
});
