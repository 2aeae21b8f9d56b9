import { expect, it } from 'vitest';
import { callPorts } from '../../../test/approvals/call-ports.ts';
import { absentApprover, scriptedApprover } from '../../../test/doubles/approvers.ts';
import { type CallInput, callTool, type ToolCaller } from './call-tool.ts';
import { failure, success, type Tool } from './tool.ts';

const never = new AbortController().signal;
const asks: ToolCaller = { policy: 'asks', actor: 'planner' };
const operator: ToolCaller = { policy: 'is-the-operator', name: async () => 'ada' };

function brush(run: Tool['run'], more: Partial<Tool> = {}) {
  const ran: string[] = [];
  const tool: Tool = {
    name: 'paint',
    description: '',
    parameters: {
      type: 'object',
      properties: { color: { type: 'string', default: 'red' } },
      additionalProperties: false,
    },
    reach: 'execute',
    run,
    async call({ action, arguments: { color } }) {
      if (action === 'run') ran.push(`${color}`);
      return { outcome: success(`${color} paint`) };
    },
    ...more,
  };
  const input = (caller: ToolCaller, given: Partial<CallInput> = {}): CallInput => ({
    tools: [tool],
    name: 'paint',
    arguments: {},
    caller,
    workspace: '/w',
    ...given,
  });
  return { ran, input };
}

it('runs an unattended tool for anybody, with defaults filled in, and notes nothing', async () => {
  const { ran, input } = brush('unattended');
  const ports = await callPorts();
  for (const caller of [asks, operator])
    expect(await callTool(ports, input(caller), never)).toEqual({ outcome: success('red paint') });
  expect([ran, ports.notes]).toEqual([['red', 'red'], []]);
  expect(await ports.approvals.list({}, 1_000_000)).toEqual([]);
});

it('leaves a tool that asks pending where nobody is, and notes that once', async () => {
  const { ran, input } = brush('ask');
  const ports = await callPorts(absentApprover);
  const called = await callTool(ports, input(asks), never);
  expect(called).toMatchObject({
    outcome: failure('APPROVAL_REQUIRED:TOOL_RUN:{"arguments":{"color":"red"},"tool":"paint"}'),
    data: { approval_id: '000000000001' },
    refused: { kind: 'not-granted', result: { kind: 'pending' } },
  });
  expect(ran).toEqual([]);
  expect(ports.notes).toEqual([
    { id: '000000000001', decision: 'pending', summary: "Run tool 'paint'? red paint" },
  ]);
});

it('tells a model that the operator denied its call', async () => {
  const { ran, input } = brush('ask');
  const ports = await callPorts(scriptedApprover({ verdict: 'deny', by: 'ada', through: 'terminal' }));
  expect(await callTool(ports, input(asks), never)).toMatchObject({
    outcome: failure('The operator denied this call. Ask for something smaller, or go on without it.'),
    refused: { kind: 'not-granted', result: { kind: 'denied' } },
  });
  expect([ran, ports.notes.map(({ decision }) => decision)]).toEqual([[], ['denied']]);
});

it('takes the call of the operator for their decision, and records it', async () => {
  const { ran, input } = brush('ask');
  const ports = await callPorts(absentApprover);
  expect(await callTool(ports, input(operator), never)).toEqual({ outcome: success('red paint') });
  const by = { by: 'ada', through: 'terminal' };
  expect(ports.notes).toMatchObject([{ decision: 'approved', ...by }]);
  expect(await ports.approvals.list({}, 1_000_000)).toMatchObject([
    { actor: 'ada', state: { status: 'consumed', decision: by } },
  ]);
  expect(ran).toEqual(['red']);
});

it('lets the operator neither decide nor use up what waits for an assistant', async () => {
  const { ran, input } = brush('ask');
  const ports = await callPorts(absentApprover);
  const waiting = await callTool(ports, input(asks), never);
  await callTool(ports, input(operator), never);
  expect(await callTool(ports, input(asks), never)).toEqual(waiting);
  const id = String(waiting.data?.approval_id);
  const decision = { by: 'ada', at: 1_000_000, through: 'terminal' } as const;
  await ports.approvals.decide({ id, verdict: 'approve', decision });
  await callTool(ports, input(operator), never);
  expect(await callTool(ports, input(asks), never)).toEqual({ outcome: success('red paint') });
  expect(ran).toEqual(['red', 'red', 'red']);
});

it('shows a denied tool to nobody but the operator', async () => {
  const { ran, input } = brush('deny');
  const ports = await callPorts(scriptedApprover({ verdict: 'approve', by: 'ada', through: 'terminal' }));
  expect(await callTool(ports, input(asks), never)).toEqual({
    outcome: failure('There is no tool named "paint". Known tools: none.'),
    refused: { kind: 'unknown', names: [] },
  });
  expect(ran).toEqual([]);
  expect(await callTool(ports, input(operator), never)).toEqual({ outcome: success('red paint') });
});

it('asks nobody about a call that cannot be made', async () => {
  const { ran, input } = brush('ask');
  const ports = await callPorts(scriptedApprover({ verdict: 'approve', by: 'ada', through: 'terminal' }));
  expect(await callTool(ports, input(asks, { name: 'pain' }), never)).toEqual({
    outcome: failure('There is no tool named "pain". Did you mean paint?'),
    refused: { kind: 'unknown', names: ['paint'] },
  });
  expect(await callTool(ports, input(asks, { arguments: { color: 3 } }), never)).toMatchObject({
    refused: { kind: 'bad-arguments', message: expect.stringContaining('color') },
  });
  expect([ran, ports.notes]).toEqual([[], []]);
});

it.each([
  ['the tool', { resultLimitBytes: 4 }, {}],
  ['the caller', {}, { limitBytes: 4 }],
  ['the stricter of both', { resultLimitBytes: 4 }, { limitBytes: 5 }],
])('limits the result as %s wants it', async (_, tool, given) => {
  const { input } = brush('unattended', tool);
  expect(await callTool(await callPorts(), input(asks, given), never)).toEqual({
    outcome: success('red \n(cut: 4 of 9 bytes are shown; read on with show {"uri":"ken://result/r1#4"})'),
    wasCut: true,
  });
});

it('gets a tool ready while a person is asked, and not before a call', async () => {
  const order: string[] = [];
  const { input } = brush('ask', { warmForCall: () => void order.push('warm') });
  const ports = await callPorts({
    isThere: async () => true,
    asksAgain: async () => true,
    async ask() {
      order.push('ask');
      return { verdict: 'deny', by: 'ada', through: 'terminal' };
    },
  });
  await callTool(ports, input(asks), never);
  expect(order).toEqual(['warm', 'ask']);
});
