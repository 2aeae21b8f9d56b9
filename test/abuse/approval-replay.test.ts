import path from 'node:path';
import { expect, it } from 'vitest';
import { sqliteApprovalStore } from '../../src/adapters/sqlite/approvals/approval-store.ts';
import { openApprovalsDatabase } from '../../src/adapters/sqlite/approvals/approvals-database.ts';
import { systemHasher, systemIds } from '../../src/adapters/system/primitives.ts';
import type { Json } from '../../src/base/json.ts';
import type { ApprovalRequest } from '../../src/domain/approvals/approval.ts';
import { seekApproval } from '../../src/domain/approvals/seek-approval.ts';
import { HOUR_MS, leavePending, statusOf, withApprovals } from '../approvals/pending.ts';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { absentApprover } from '../doubles/approvers.ts';

const ID = '3f2a9c41d07e';
const run = (command: string) => ({ type: 'tool_run', tool: 'sh', arguments: { command } }) as const;
const never = new AbortController().signal;

async function approve({ home }: Sandbox, at = Date.now()): Promise<void> {
  const decision = { by: 'ada', at, through: 'terminal' } as const;
  await withApprovals({ home }, (approvals) => approvals.decide({ id: ID, verdict: 'approve', decision }));
}

/** The answer to an unattended assistant that asks for this. */
async function ask(
  { home, root }: Sandbox,
  request: Json,
  given: Partial<ApprovalRequest> = {},
  now = Date.now(),
) {
  const database = await openApprovalsDatabase(path.join(home, 'data/approvals.db'));
  const clock = { now: () => now };
  try {
    const { kind } = await seekApproval(
      {
        approvals: sqliteApprovalStore(database),
        approver: absentApprover,
        clock,
        ids: systemIds(clock),
        hasher: systemHasher,
        config: { approvals: { noninteractive: 'pending', expires_hours: 24 } },
      },
      { workspace: root, reason: run('make'), request, actor: 'ken', ...given },
      never,
    );
    return kind;
  } finally {
    await database.close();
  }
}

it('covers the request once, however often it is sent', async () => {
  const place = sandboxHere('');
  await leavePending(place, run('make'), { request: { command: 'make' } });
  await approve(place);
  expect(await ask(place, { command: 'make' })).toBe('granted');
  expect(await ask(place, { command: 'make' })).toBe('pending');
});

it.each<[string, Json, Partial<ApprovalRequest>]>([
  ['one byte more', { command: 'make ' }, {}],
  ['one byte less', { command: 'mak' }, {}],
  ['another case', { command: 'Make' }, {}],
  ['a letter that looks the same', { command: 'm\u0430ke' }, {}],
  ['the same letter, composed differently', { command: 'make', note: 'e\u0301' }, {}],
  ['a key more', { command: 'make', shell: true }, {}],
  ['another type', { command: ['make'] }, {}],
  ['another workspace', { command: 'make' }, { workspace: '/elsewhere' }],
  ['no workspace', { command: 'make' }, { workspace: undefined }],
  [
    'another kind of request',
    { command: 'make' },
    { reason: { type: 'label_command', label: 'x', command: 'make' } },
  ],
])('does not cover %s', async (_, request, given) => {
  const place = sandboxHere('');
  await leavePending(place, run('make'), { request: { command: 'make' } });
  await approve(place);
  expect(await ask(place, request, given)).toBe('pending');
  expect(await statusOf(place)).toBe('approved');
});

it('covers nothing once it has expired, and cannot be revived', async () => {
  const place = sandboxHere('');
  const created = Date.now() - 24 * HOUR_MS;
  await leavePending(place, run('make'), { request: { command: 'make' }, created });
  await approve(place, created + HOUR_MS);
  expect(await ask(place, { command: 'make' })).toBe('pending');
  expect(await statusOf(place)).toBe('expired');
  // A clock that is set back does not help.
  expect(await ask(place, { command: 'make' }, {}, created + 2 * HOUR_MS)).toBe('pending');
});

it.each([
  ['denied', 'approvals/denied', `Approval ${ID} was denied by ada.`],
  ['expired', 'approvals/expired', `Approval ${ID} expired before anybody decided.`],
  ['consumed', 'approvals/consumed', `Approval ${ID} has been used; it covers the request once.`],
  ['approved', 'approvals/decided', `Approval ${ID} was given already by ada.`],
] as const)('says that an approval is %s, with exit 4', async (status, code, message) => {
  const place = sandboxHere('');
  const created = status === 'expired' ? Date.now() - 25 * HOUR_MS : Date.now();
  await leavePending(place, run('make'), { created });
  const verdicts = { denied: 'deny', consumed: 'approve-and-consume', approved: 'approve' } as const;
  const decision = { by: 'ada', at: Date.now(), through: 'terminal' } as const;
  if (status !== 'expired') {
    await withApprovals(place, (approvals) =>
      approvals.decide({ id: ID, verdict: verdicts[status], decision }),
    );
  }
  for (const verb of ['approve', 'deny']) {
    const result = await place.ken(['approvals', verb, ID.slice(0, 4), '--json']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 4, stdout: '' });
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { code, message } });
  }
});

it('names what it cannot find, with exit 3, and what is ambiguous, with exit 2', async () => {
  const place = sandboxHere('');
  await leavePending(place, run('a'), { id: 'ab1111111111' });
  await leavePending(place, run('b'), { id: 'ab2222222222' });
  expect(await place.ken(['approvals', 'show', 'ff'])).toEqual({
    code: 3,
    stdout: '',
    stderr: 'ken: There is no approval "ff".\nhint: See "ken approvals ls --all".\n',
  });
  expect(await place.ken(['approvals', 'deny', 'ab'])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'ken: Several approvals begin with "ab".\nhint: Type more of the id.\n',
  });
});
