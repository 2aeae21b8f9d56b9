import { expect, it } from 'vitest';
import { callPorts } from '../../../test/approvals/call-ports.ts';
import { absentApprover, scriptedApprover } from '../../../test/doubles/approvers.ts';
import { Fault } from '../../base/fault.ts';
import type { Approver } from '../approvals/approver.ts';
import { failure, success, type Tool } from '../tools/tool.ts';
import type { CallWatch } from './run-turn.ts';
import { turnTools } from './tools/turn-tools.ts';

const never = new AbortController().signal;
const by = { by: 'ada', through: 'terminal' } as const;

function tool(more: Partial<Tool> = {}): Tool {
  return {
    name: 'clock',
    description: 'The time.',
    parameters: {
      type: 'object',
      properties: { zone: { type: 'string' } },
      additionalProperties: false,
    },
    reach: 'read',
    run: 'unattended',
    call: async ({ action }) => ({ outcome: success(action === 'run' ? 'noon' : '') }),
    ...more,
  };
}

async function scene(tools: readonly Tool[], approver: Approver = absentApprover) {
  const seen: string[] = [];
  const watch: CallWatch = {
    conversation: 'c1',
    recordDecision: async ({ id, decision }) => void seen.push(`${decision} ${id}`),
    onProgress: () => {},
  };
  const made = turnTools(await callPorts(approver), { tools, workspace: '/w', actor: 'ken' });
  const call = (name: string, given: object = {}) =>
    made.call({ id: 'c1', name, arguments: { ...given } }, watch, never);
  return { made, seen, call };
}

it('neither offers nor calls what is denied', async () => {
  const { made, call } = await scene([tool(), tool({ name: 'rm', run: 'deny' })]);
  expect(made.definitions.map(({ name }) => name)).toEqual(['clock']);
  expect(await call('rm')).toEqual({ outcome: failure('There is no tool named "rm". Known tools: clock.') });
});

it('tells the model what is wrong with a call, and asks nobody about it', async () => {
  const { seen, call } = await scene([tool({ run: 'ask' })]);
  expect(await call('clok')).toEqual({
    outcome: failure('There is no tool named "clok". Did you mean clock?'),
  });
  const { outcome } = await call('clock', { zone: 7 });
  expect(outcome).toMatchObject({ type: 'error', message: expect.stringContaining('do not fit') });
  expect(seen).toEqual([]);
});

it.each([
  ['granted', scriptedApprover({ verdict: 'approve', ...by }), 'approved', success('noon')],
  [
    'denied',
    scriptedApprover({ verdict: 'deny', ...by }),
    'denied',
    { type: 'error', message: expect.stringMatching(/^The operator denied this/) },
  ],
  [
    'pending',
    absentApprover,
    'pending',
    { type: 'error', message: expect.stringMatching(/^APPROVAL_REQUIRED:TOOL/) },
  ],
] as const)('a call that is %s is written down before it runs', async (kind, approver, noted, outcome) => {
  const seen: string[] = [];
  const run: Tool['call'] = async ({ action }) => {
    if (action === 'run') seen.push(`ran after ${scenery.seen}`);
    return { outcome: success('noon') };
  };
  const scenery = await scene([tool({ run: 'ask', call: run })], approver);
  expect((await scenery.call('clock')).outcome).toMatchObject(outcome);
  expect(scenery.seen).toEqual([`${noted} 000000000001`]);
  expect(seen).toEqual(kind === 'granted' ? ['ran after approved 000000000001'] : []);
});

it('writes down what a tool asked by itself', async () => {
  const asks: Tool['call'] = async ({ recordDecision }) => {
    await recordDecision?.({ id: 'a2', decision: 'denied', summary: 'Fetch it?' });
    return { outcome: failure('No.') };
  };
  const { seen, call } = await scene([tool({ call: asks })]);
  await call('clock');
  expect(seen).toEqual(['denied a2']);
});

it('turns a failure of the host into an outcome, and swallows no bug', async () => {
  const faulty = async (error: Error) =>
    (await scene([tool({ call: () => Promise.reject(error) })])).call('clock');
  expect(await faulty(new Fault('process/failed', 'It fell.', { hint: 'Pick it up.' }))).toEqual({
    outcome: failure('It fell.', ['Pick it up.']),
  });
  await expect(faulty(new TypeError('bug'))).rejects.toThrow('bug');
});
