import { describe, expect, it } from 'vitest';
import { absentApprover, scriptedApprover } from '../../../test/doubles/approvers.ts';
import { countingIds } from '../../../test/doubles/ids.ts';
import { approvalStoresInMemory, approvalsInMemory } from '../../../test/stores-in-memory.ts';
import { systemHasher } from '../../adapters/system/primitives.ts';
import type { ApprovalRequest } from './approval.ts';
import { granted } from './approval-fault.ts';
import { type ApprovalPorts, seekApproval } from './seek-approval.ts';

const HOUR = 3_600_000;
const yes = { verdict: 'approve', by: 'ada', through: 'terminal' } as const;
const no = { verdict: 'deny', by: 'ada', through: 'terminal' } as const;
const nobody = { verdict: 'nobody' } as const;
const never = new AbortController().signal;
const remove: ApprovalRequest = {
  workspace: '/w',
  reason: { type: 'tool_run', tool: 'rm', arguments: { path: 'a' } },
  request: { tool: 'rm', path: 'a' },
  actor: 'ken',
};

function desk(given: Partial<ApprovalPorts> = {}) {
  const time = { now: 1_000_000 };
  const ports = {
    approvals: approvalsInMemory(),
    approver: absentApprover,
    clock: { now: () => time.now },
    ids: countingIds(),
    hasher: systemHasher,
    config: { approvals: { noninteractive: 'pending', expires_hours: 24 } },
    ...given,
  };
  const seek = (request = remove, other: Partial<ApprovalPorts> = {}) =>
    seekApproval({ ...ports, ...other }, request, never);
  const statuses = async () => (await ports.approvals.list({}, time.now)).map(({ state }) => state.status);
  return { ports, time, seek, statuses };
}

const allow = { config: { approvals: { noninteractive: 'allow', expires_hours: 24 } } };

it('asks who is there, and the answer is used up', async () => {
  const approver = scriptedApprover(yes, no);
  const { seek, statuses } = desk({ approver });
  expect(await seek()).toMatchObject({
    kind: 'granted',
    approval: {
      summary: "Run tool 'rm'?",
      created: 1_000_000,
      expires: 1_000_000 + 24 * HOUR,
      state: { status: 'consumed', decision: { by: 'ada', through: 'terminal' } },
    },
  });
  expect(await seek()).toMatchObject({ kind: 'denied', approval: { state: { status: 'denied' } } });
  expect(approver.asked).toHaveLength(2);
  expect((await statuses()).sort()).toEqual(['consumed', 'denied']);
});

it('leaves the request pending where nobody is, once for however many tries', async () => {
  const { seek, statuses } = desk();
  const first = await seek();
  expect(first).toMatchObject({ kind: 'pending', approval: { state: { status: 'pending' } } });
  expect(await seek()).toEqual(first);
  expect(await statuses()).toEqual(['pending']);
});

it('leaves it pending when whoever was there goes away', async () => {
  const { seek, statuses } = desk({ approver: scriptedApprover(nobody) });
  expect(await seek()).toMatchObject({ kind: 'pending' });
  expect(await statuses()).toEqual(['pending']);
});

it('uses what an operator approved elsewhere, once', async () => {
  const { ports, seek } = desk();
  const { approval } = await seek();
  const decision = { by: 'ada', at: 1_000_001, through: 'terminal' } as const;
  await ports.approvals.decide({ id: approval.id, verdict: 'approve', decision });
  expect(await seek({ ...remove, request: { tool: 'rm', path: 'b' } })).toMatchObject({ kind: 'pending' });
  expect(await seek({ ...remove, workspace: '/v' })).toMatchObject({ kind: 'pending' });
  expect(await seek()).toMatchObject({ kind: 'granted', approval: { id: approval.id } });
  expect(await seek()).toMatchObject({ kind: 'pending' });
});

it('does not put again what was denied, until that expires or a person is there', async () => {
  const { ports, time, seek } = desk();
  const { approval } = await seek();
  const decision = { by: 'ada', at: time.now, through: 'command' } as const;
  await ports.approvals.decide({ id: approval.id, verdict: 'deny', decision });
  expect(await seek()).toMatchObject({ kind: 'denied', approval: { id: approval.id } });
  expect(await seek(remove, allow)).toMatchObject({ kind: 'denied', approval: { id: approval.id } });
  expect(await seek(remove, { approver: scriptedApprover(yes) })).toMatchObject({ kind: 'granted' });
  time.now += 24 * HOUR;
  expect(await seek()).toMatchObject({ kind: 'pending' });
});

it('approves by itself only where the rules say so, and says that it did', async () => {
  const { seek } = desk(allow);
  expect(await seek()).toMatchObject({
    kind: 'granted',
    approval: {
      state: { status: 'consumed', decision: { by: 'approvals.noninteractive', through: 'config' } },
    },
  });
  expect(await seek()).toMatchObject({ kind: 'granted' });
});

it('asks who is there even where it would be allowed to go ahead', async () => {
  const { seek } = desk({ ...allow, approver: scriptedApprover(no) });
  expect(await seek()).toMatchObject({ kind: 'denied' });
});

it('looks again when somebody else decided while it asked', async () => {
  const decision = { by: 'bob', at: 1_000_001, through: 'web' } as const;
  const deciding = (verdict: 'approve' | 'deny' | 'approve-and-consume') =>
    scriptedApprover(async ({ id }) => {
      await ports.approvals.decide({ id, verdict, decision });
      return yes;
    }, no);
  const { ports, seek } = desk();
  expect(await seek(remove, { approver: deciding('approve') })).toMatchObject({
    kind: 'granted',
    approval: { state: { decision } },
  });
  const approver = deciding('approve-and-consume');
  expect(await seek(remove, { approver })).toMatchObject({ kind: 'denied' });
  expect(approver.asked.map(({ id }) => id)).toHaveLength(2);
});

it('asks again when the answer came too late', async () => {
  const late = scriptedApprover(async () => {
    time.now += 24 * HOUR;
    return yes;
  }, no);
  const { time, seek, statuses } = desk({ approver: late });
  expect(await seek()).toMatchObject({ kind: 'denied' });
  expect((await statuses()).sort()).toEqual(['denied', 'expired']);
});

it('stops when it is told to, with nothing decided', async () => {
  const approver = scriptedApprover(async () => Promise.reject(new Error('interrupted')));
  const { ports, seek, statuses } = desk({ approver });
  await expect(seek()).rejects.toThrow('interrupted');
  expect(await statuses()).toEqual(['pending']);
  await expect(seekApproval(ports, remove, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
});

it('says what to run where it cannot go on', async () => {
  const { seek, ports } = desk();
  const pending = await seek();
  const { id } = pending.approval;
  expect(() => granted(pending)).toThrow(
    expect.objectContaining({
      code: 'approvals/needed',
      message: `This waits for approval ${id}: Run tool 'rm'?`,
      hint: `Run "ken approvals approve ${id}" in a terminal, then try again.`,
    }),
  );
  const decision = { by: 'ada', at: 1_000_000, through: 'command' } as const;
  await ports.approvals.decide({ id, verdict: 'deny', decision });
  const denied = await seek();
  expect(() => granted(denied)).toThrow(
    expect.objectContaining({ code: 'approvals/denied', message: `Approval ${id} was denied by ada.` }),
  );
});

it('a denial stands against everyone who is asked elsewhere than at a terminal', async () => {
  const approver = scriptedApprover({ verdict: 'deny', by: 'gnome', through: 'mcp' }, yes);
  const elsewhere = { ...approver, asksAgain: async () => false };
  const { seek } = desk();
  expect(await seek(remove, { approver: elsewhere })).toMatchObject({ kind: 'denied' });
  expect(await seek(remove, { approver: elsewhere })).toMatchObject({ kind: 'denied' });
  expect(approver.asked).toHaveLength(1);
  expect(await seek(remove, { approver })).toMatchObject({ kind: 'granted' });
});

describe('a standing approval', () => {
  const offer = {
    conversation: 'c1',
    tool: 'rm',
    covers: 'rm, with any values',
    definition: { words: ['rm'] },
  };
  const always = { ...yes, isStanding: true } as const;
  const call = (path: string, given: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
    ...remove,
    reason: { type: 'tool_run', tool: 'rm', arguments: { path } },
    request: { tool: 'rm', path },
    standing: offer,
    ...given,
  });

  async function standing(...answers: (typeof no)[]) {
    const { approvals, standingApprovals } = await approvalStoresInMemory();
    const approver = { ...scriptedApprover(always, ...answers), isThere: async () => true };
    const terminal = { name: 't1' as string | undefined };
    const operator = { terminal: async () => terminal.name };
    const made = desk({ approvals, standingApprovals, operator, approver });
    expect(await made.seek(call('a'))).toMatchObject({ kind: 'granted' });
    return { ...made, approver, terminal, standingApprovals };
  }

  it('covers like calls of the same conversation, workspace and terminal, each recorded', async () => {
    const { seek, approver } = await standing();
    expect(await seek(call('b'))).toMatchObject({
      kind: 'granted',
      approval: { state: { status: 'consumed', decision: { by: 'ada', through: 'conversation' } } },
    });
    expect(approver.asked).toHaveLength(1);
  });

  it.each<[string, Partial<ApprovalRequest>]>([
    ['another conversation', { standing: { ...offer, conversation: 'c2' } }],
    ['another definition', { standing: { ...offer, definition: { words: ['rm', '-rf'] } } }],
    ['another workspace', { workspace: '/v' }],
    ['a request that offers none', { standing: undefined }],
    ['a promotion', { reason: { type: 'knowledge_promote', entry: 'e', text: 't', evidence: [] } }],
    ['a definition', { reason: { type: 'tool_definition', server: 's', tool: 't', digest: 'd', diff: '' } }],
    ['trust', { reason: { type: 'workspace_trust', definitions: [] } }],
    ['a path outside', { reason: { type: 'workspace_escape', path: '/etc' } }],
    ['a reference topic', { reason: { type: 'reference_topic_create', title: 't', summary: '' } }],
    ['the command of a label', { reason: { type: 'label_command', label: 'l', command: 'c' } }],
  ])('does not cover %s', async (_, given) => {
    const { seek, approver } = await standing(no);
    expect(await seek(call('b', given))).toMatchObject({ kind: 'denied' });
    expect(approver.asked).toHaveLength(2);
  });

  it('does not cover another terminal, or one that cannot be told', async () => {
    const { seek, approver, terminal } = await standing(no, no);
    terminal.name = 't2';
    expect(await seek(call('b'))).toMatchObject({ kind: 'denied' });
    terminal.name = undefined;
    expect(await seek(call('c'))).toMatchObject({ kind: 'denied' });
    expect(approver.asked).toHaveLength(3);
  });

  it('does not count where the operator is not at the terminal', async () => {
    const { seek } = await standing();
    expect(await seek(call('b'), { approver: absentApprover })).toMatchObject({ kind: 'pending' });
  });

  it('lasts eight hours, or as long as approvals last, and not before it was given', async () => {
    const { seek, time, standingApprovals, approver } = await standing(no, no);
    const [given] = await standingApprovals.list(time.now);
    expect(given).toMatchObject({ expires: time.now + 8 * HOUR });
    time.now -= 1;
    expect(await seek(call('b'))).toMatchObject({ kind: 'denied' });
    time.now += 8 * HOUR + 1;
    expect(await seek(call('c'))).toMatchObject({ kind: 'denied' });
    expect(approver.asked).toHaveLength(3);
    const short = { approvals: { noninteractive: 'pending', expires_hours: 2 } };
    const again = { ...scriptedApprover(always), isThere: async () => true };
    await seek(call('d'), { config: short, approver: again });
    expect(await standingApprovals.list(time.now)).toMatchObject([{ expires: time.now + 2 * HOUR }]);
  });

  it('ends when it is revoked', async () => {
    const { seek, time, standingApprovals } = await standing(no);
    const [given] = await standingApprovals.list(time.now);
    expect(await standingApprovals.revoke(given?.id ?? '', { by: 'ada', at: time.now })).toBe(true);
    expect(await seek(call('b'))).toMatchObject({ kind: 'denied' });
  });

  it('does not undo a denial of the very call', async () => {
    const { seek, approver } = await standing(no, no);
    expect(await seek(call('b', { standing: undefined }))).toMatchObject({ kind: 'denied' });
    expect(await seek(call('b'))).toMatchObject({ kind: 'denied' });
    expect(approver.asked).toHaveLength(3);
  });
});

it('lets a hundred requests of a workspace wait, and no more until some are decided', async () => {
  const { ports, seek, statuses } = desk();
  const numbered = (number: number) => ({ ...remove, request: { tool: 'rm', path: `${number}` } });
  for (let number = 0; number < 100; number++) await seek(numbered(number));
  await expect(seek(numbered(100))).rejects.toMatchObject({ code: 'approvals/too-many' });
  expect(await seek(numbered(7))).toMatchObject({ kind: 'pending' });
  expect(await seek({ ...numbered(100), workspace: '/other' })).toMatchObject({ kind: 'pending' });
  expect(await statuses()).toHaveLength(101);
  const [{ id } = { id: '' }] = await ports.approvals.list({ workspace: '/w' }, 1_000_000);
  await ports.approvals.decide({ id, verdict: 'deny', decision: { by: 'ada', through: 'terminal', at: 1 } });
  expect(await seek(numbered(100))).toMatchObject({ kind: 'pending' });
});
