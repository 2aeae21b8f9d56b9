import { expect, it } from 'vitest';
import { absentApprover, scriptedApprover } from '../../../test/doubles/approvers.ts';
import { approvalsInMemory, jobsInMemory, withMethods } from '../../../test/stores-in-memory.ts';
import { newApproval } from './approval-store.contract.ts';
import {
  approveInPerson,
  type DecidePorts,
  deny,
  findApproval,
  type WaitingWork,
} from './decide-approval.ts';
import { type JobProgress, jobStatus } from './job.ts';

const NOW = newApproval().created + 1000;
const yes = { verdict: 'approve', by: 'ada', through: 'terminal' } as const;
const no = { verdict: 'deny', by: 'ada', through: 'terminal' } as const;
const never = new AbortController().signal;
const ABSENT = { isPresent: false, why: 'a robot types', hint: 'Type yourself.' } as const;

async function desk(given: Partial<DecidePorts> = {}) {
  const ports: DecidePorts = {
    approvals: approvalsInMemory(),
    approver: absentApprover,
    clock: { now: () => NOW },
    config: { approvals: { noninteractive: 'pending', expires_hours: 24 } },
    jobs: jobsInMemory(),
    processWatch: { self: async () => 'me', liveness: async (who) => (who === 'me' ? 'alive' : 'gone') },
    waitingWork: [],
    operator: { presence: async () => ABSENT },
    ...given,
  };
  const approval = await ports.approvals.request(newApproval({ id: 'abc1' }));
  return { ports, approval };
}

const fetching: WaitingWork = {
  reason: 'tool_run',
  async run(approval, report) {
    await report({ phase: 'received', done: 1 });
    return { message: `Did ${JSON.stringify(approval.request)}.`, data: { files: 2 } };
  },
};

it('finds an approval by the start of its id', async () => {
  const { ports } = await desk();
  await ports.approvals.request(newApproval({ id: 'abd1', digest: 'd2' }));
  await ports.approvals.request(newApproval({ id: 'abd10', digest: 'd3' }));
  expect((await findApproval(ports, 'ABC')).id).toBe('abc1');
  await expect(findApproval(ports, 'ab')).rejects.toMatchObject({ code: 'approvals/ambiguous' });
  for (const unknown of ['x', '', 'abc12', '%']) {
    await expect(findApproval(ports, unknown)).rejects.toMatchObject({ code: 'approvals/not-found' });
  }
});

it('takes a whole id for what it is, even if another one goes on after it', async () => {
  const { ports } = await desk();
  await ports.approvals.request(newApproval({ id: 'abd1', digest: 'd2' }));
  await ports.approvals.request(newApproval({ id: 'abd10', digest: 'd3' }));
  expect((await findApproval(ports, 'abd1')).id).toBe('abd1');
});

it('approves what nothing waits for, so that it can be used', async () => {
  const { ports, approval } = await desk({ approver: scriptedApprover(yes) });
  expect(await approveInPerson(ports, { approval }, never)).toMatchObject({
    approval: { state: { status: 'approved', decision: { by: 'ada', through: 'terminal', at: NOW } } },
    work: undefined,
  });
});

it('runs the work that waited, on record under the same id', async () => {
  const { ports, approval } = await desk({ approver: scriptedApprover(yes), waitingWork: [fetching] });
  const seen: JobProgress[] = [];
  const decided = await approveInPerson(
    ports,
    { approval, onProgress: (progress) => seen.push(progress) },
    never,
  );
  const result = { message: 'Did {"tool":"fs.remove","arguments":{"path":"build"}}.', data: { files: 2 } };
  expect(decided).toMatchObject({ approval: { state: { status: 'consumed' } }, work: result });
  expect(seen).toEqual([{ phase: 'received', done: 1 }]);
  expect(await ports.jobs.get('abc1')).toMatchObject({
    title: approval.summary,
    owner: 'me',
    progress: { phase: 'received', done: 1 },
    state: { status: 'done', result },
  });
});

it('runs nothing when the operator says no, or nothing', async () => {
  const { ports, approval } = await desk({
    approver: scriptedApprover({ verdict: 'nobody' }, no),
    waitingWork: [fetching],
  });
  expect(await approveInPerson(ports, { approval }, never)).toBeUndefined();
  expect(await approveInPerson(ports, { approval }, never)).toMatchObject({
    approval: { state: { status: 'denied' } },
    work: undefined,
  });
  expect(await ports.jobs.list({})).toEqual([]);
});

it('cannot be done by a process with nobody at it', async () => {
  const { ports, approval } = await desk();
  await expect(approveInPerson(ports, { approval }, never)).rejects.toMatchObject({
    code: 'approvals/no-terminal',
    message: 'Approving needs you: a robot types.',
    hint: 'Type yourself.',
  });
  const config = { approvals: { noninteractive: 'allow', expires_hours: 24 } };
  expect(await approveInPerson({ ...ports, config }, { approval }, never)).toMatchObject({
    approval: { state: { status: 'approved', decision: { through: 'config' } } },
  });
});

it('denies without anybody being asked', async () => {
  const { ports, approval } = await desk();
  expect(await deny(ports, { approval, by: 'ada' })).toMatchObject({
    state: { status: 'denied', decision: { by: 'ada', through: 'command', at: NOW } },
  });
  await expect(deny(ports, { approval, by: 'ada' })).rejects.toMatchObject({ code: 'approvals/denied' });
});

it.each([
  ['approve', 'approvals/decided', 'Approval abc1 was given already by bob.'],
  ['deny', 'approvals/denied', 'Approval abc1 was denied by bob.'],
  ['approve-and-consume', 'approvals/consumed', 'Approval abc1 has been used; it covers the request once.'],
] as const)('says what became of one that somebody chose to %s', async (verdict, code, message) => {
  const { ports } = await desk({ approver: scriptedApprover(yes) });
  const decision = { by: 'bob', at: NOW, through: 'web' } as const;
  await ports.approvals.decide({ id: 'abc1', verdict, decision });
  const approval = await findApproval(ports, 'abc1');
  await expect(approveInPerson(ports, { approval }, never)).rejects.toMatchObject({ code, message });
});

it('says that it was too slow when somebody decided meanwhile', async () => {
  const decision = { by: 'bob', at: NOW, through: 'web' } as const;
  const approver = scriptedApprover(async ({ id }) => {
    await ports.approvals.decide({ id, verdict: 'deny', decision });
    return yes;
  });
  const { ports, approval } = await desk({ approver, waitingWork: [fetching] });
  await expect(approveInPerson(ports, { approval }, never)).rejects.toMatchObject({
    code: 'approvals/denied',
  });
  expect(await ports.jobs.list({})).toEqual([]);
});

it('says that it expired, whether undecided or unused', async () => {
  const { ports } = await desk();
  const late = { ...ports, clock: { now: () => newApproval().expires } };
  const approval = await findApproval(late, 'abc1');
  await expect(approveInPerson(late, { approval }, never)).rejects.toMatchObject({
    code: 'approvals/expired',
    message: 'Approval abc1 expired before anybody decided.',
  });
});

it('records how work failed, and throws it on', async () => {
  const failing: WaitingWork = { ...fetching, run: async () => Promise.reject(new Error('no route')) };
  const { ports, approval } = await desk({ approver: scriptedApprover(yes), waitingWork: [failing] });
  await expect(approveInPerson(ports, { approval }, never)).rejects.toThrow('no route');
  expect(await ports.jobs.get('abc1')).toMatchObject({ state: { status: 'failed', message: 'no route' } });
  expect(await findApproval(ports, 'abc1')).toMatchObject({ state: { status: 'consumed' } });
});

it('stops when another process asks it to', async () => {
  const endless: WaitingWork = {
    ...fetching,
    async run(_, report, signal) {
      await ports.jobs.requestCancel('abc1');
      for (let done = 0; ; done++) {
        signal.throwIfAborted();
        await report({ phase: `part ${done}`, done });
      }
    },
  };
  const { ports, approval } = await desk({ approver: scriptedApprover(yes), waitingWork: [endless] });
  await expect(approveInPerson(ports, { approval }, never)).rejects.toMatchObject({
    code: 'approvals/cancelled',
  });
  expect(await ports.jobs.get('abc1')).toMatchObject({ state: { status: 'cancelled' } });
});

it('stops when its own process is interrupted', async () => {
  const stop = new AbortController();
  const waiting: WaitingWork = {
    ...fetching,
    async run(_, __, signal) {
      stop.abort(new Error('Ctrl-C'));
      signal.throwIfAborted();
      return { message: '', data: {} };
    },
  };
  const { ports, approval } = await desk({ approver: scriptedApprover(yes), waitingWork: [waiting] });
  await expect(approveInPerson(ports, { approval }, stop.signal)).rejects.toThrow('Ctrl-C');
  expect(await ports.jobs.get('abc1')).toMatchObject({ state: { status: 'cancelled' } });
});

it('writes progress seldom, but never misses a phase', async () => {
  const time = { now: NOW };
  const written: JobProgress[] = [];
  const jobs = jobsInMemory();
  const counted = withMethods(jobs, {
    report: async (id, progress, now) => {
      written.push(progress);
      return jobs.report(id, progress, now);
    },
  });
  const busy: WaitingWork = {
    ...fetching,
    async run(_, report) {
      for (let done = 0; done < 1000; done++) {
        time.now += 1;
        await report({ phase: done < 500 ? 'files' : 'chunks', done });
      }
      return { message: '', data: {} };
    },
  };
  const { ports, approval } = await desk({
    approver: scriptedApprover(yes),
    waitingWork: [busy],
    jobs: counted,
    clock: { now: () => time.now },
  });
  await approveInPerson(ports, { approval }, never);
  expect(written.map(({ phase, done }) => `${phase} ${done}`)).toEqual([
    'files 0',
    'files 250',
    'chunks 500',
    'chunks 750',
  ]);
});

it('tells a job whose process is gone from one that runs', async () => {
  const { ports } = await desk();
  const start = { workspace: undefined, title: 't', started: 1 };
  await ports.jobs.start({ ...start, id: 'j1', owner: 'me' });
  await ports.jobs.start({ ...start, id: 'j2', owner: 'another' });
  const [second, first] = await ports.jobs.list({});
  expect(first && (await jobStatus(ports.processWatch, first))).toBe('running');
  expect(second && (await jobStatus(ports.processWatch, second))).toBe('interrupted');
});
