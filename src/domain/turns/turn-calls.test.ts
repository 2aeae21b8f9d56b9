import { expect, it } from 'vitest';
import { Fault } from '../../base/fault.ts';
import type { Approval } from '../approvals/approval.ts';
import type { Permission } from '../approvals/seek-approval.ts';
import { failure, success, type Tool } from '../tools/tool.ts';
import type { CallWatch } from './run-turn.ts';
import { turnTools } from './turn-tools.ts';

const never = new AbortController().signal;
const approval: Approval = {
  id: 'a1',
  summary: 'May it?',
  workspace: '/w',
  reason: { type: 'tool_run', tool: 'clock', arguments: {} },
  request: {},
  actor: 'ken',
  digest: 'd',
  created: 0,
  expires: 1,
  state: { status: 'pending' },
};

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

function scene(tools: readonly Tool[], kind: Permission['kind'] = 'granted') {
  const seen: string[] = [];
  const ports = {
    seekApproval: async () => {
      seen.push('asked');
      return { kind, approval };
    },
    answerQuestion: async () => undefined,
  };
  const watch: CallWatch = {
    noteDecision: async ({ id, decision }) => void seen.push(`${decision} ${id}`),
    onProgress: () => {},
  };
  const made = turnTools(ports, tools);
  const call = (name: string, given: object = {}) =>
    made.call({ id: 'c1', name, arguments: { ...given } }, watch, never);
  return { made, seen, call };
}

it('neither offers nor calls what is denied', async () => {
  const { made, call } = scene([tool(), tool({ name: 'rm', run: 'deny' })]);
  expect(made.definitions.map(({ name }) => name)).toEqual(['clock']);
  expect(await call('rm')).toEqual({ outcome: failure('There is no tool named "rm". Known tools: clock.') });
});

it('tells the model what is wrong with a call, and asks nobody about it', async () => {
  const { seen, call } = scene([tool({ run: 'ask' })]);
  expect(await call('clok')).toEqual({
    outcome: failure('There is no tool named "clok". Did you mean clock?'),
  });
  const { outcome } = await call('clock', { zone: 7 });
  expect(outcome).toMatchObject({ type: 'error', message: expect.stringContaining('do not fit') });
  expect(seen).toEqual([]);
});

it.each([
  ['granted', 'approved a1', success('noon')],
  ['denied', 'denied a1', { type: 'error', message: expect.stringMatching(/^The operator denied this/) }],
  ['pending', 'pending a1', { type: 'error', message: expect.stringMatching(/^APPROVAL_REQUIRED:TOOL/) }],
] as const)('a call that is %s is written down before it runs', async (kind, noted, outcome) => {
  const seen: string[] = [];
  const run: Tool['call'] = async ({ action }) => {
    if (action === 'run') seen.push('ran');
    return { outcome: success('noon') };
  };
  const scenery = scene([tool({ run: 'ask', call: run })], kind);
  expect((await scenery.call('clock')).outcome).toMatchObject(outcome);
  expect(scenery.seen).toEqual(['asked', noted]);
  expect(seen).toEqual(kind === 'granted' ? ['ran'] : []);
});

it('writes down what a tool asked by itself', async () => {
  const asks: Tool['call'] = async ({ noteDecision }) => {
    await noteDecision?.({ id: 'a2', decision: 'denied', summary: 'Fetch it?' });
    return { outcome: failure('No.') };
  };
  const { seen, call } = scene([tool({ call: asks })]);
  await call('clock');
  expect(seen).toEqual(['denied a2']);
});

it('turns a failure of the host into an outcome, and swallows no bug', async () => {
  const faulty = (error: Error) => scene([tool({ call: () => Promise.reject(error) })]).call('clock');
  expect(await faulty(new Fault('process/failed', 'It fell.', { hint: 'Pick it up.' }))).toEqual({
    outcome: failure('It fell.', ['Pick it up.']),
  });
  await expect(faulty(new TypeError('bug'))).rejects.toThrow('bug');
});
