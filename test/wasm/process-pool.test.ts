import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { GuestProcess } from '../../src/adapters/wasm/process/guest-process.ts';
import { ProcessPool } from '../../src/adapters/wasm/process/process-pool.ts';

const LIMITS = { memoryMib: 64, outputBytes: 1 };
const FACTS = { sha256: '', sizeBytes: 0, imports: [], functions: [] };
const GLUE = '(() => ({ run: () => ({ tag: "success", val: "" }) }))';
const never = new AbortController().signal;

function component(key: string, glue = GLUE) {
  const parts = { glue, compiledGlue: undefined, modules: [], memoryPages: 1 };
  return { key, facts: FACTS, functions: [], parts, cacheCompiledGlue() {} };
}

function pool(idleMs?: number): ProcessPool {
  const made = new ProcessPool(LIMITS, undefined, idleMs);
  onTestFinished(() => made.close());
  return made;
}

const CALL = {
  tool: '',
  action: 'run',
  argumentsJson: '{}',
  answersJson: '{}',
  root: '/',
  directories: [],
} as const;
const use = async (guest: GuestProcess) => {
  await guest.call(CALL, { timeoutMs: 20_000, signal: never });
  return guest;
};

it('leaves nobody waiting when a component cannot be loaded', async () => {
  const processes = pool();
  const broken = component('broken', 'this is no script');
  const lent = Array.from({ length: 6 }, () => processes.withProcess(broken, 'a', use));
  for (const one of await Promise.allSettled(lent))
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'wasm/instantiate' } });
});

it('serves the calls of one owner with one process, and those of another with another', async () => {
  const processes = pool();
  const [tool, other] = [component('tool'), component('other')];
  const first = await processes.withProcess(tool, 'a', use);
  expect(await processes.withProcess(tool, 'a', use)).toBe(first);
  expect(await processes.withProcess(tool, 'b', use)).not.toBe(first);
  expect(await processes.withProcess(other, 'a', use)).not.toBe(first);
  expect(await processes.withProcess(tool, 'a', use)).toBe(first);
});

it('lends a process that was warmed to the first owner, and then to no other', async () => {
  const processes = pool();
  const tool = component('tool');
  await processes.warm(Promise.resolve(tool));
  const warmed = await processes.withProcess(tool, 'a', use);
  expect(await processes.withProcess(tool, 'b', use)).not.toBe(warmed);
  expect(await processes.withProcess(tool, 'a', use)).toBe(warmed);
});

it('keeps four processes, and ends the one that was used least recently', async () => {
  const processes = pool();
  const tool = component('tool');
  const used: GuestProcess[] = [];
  for (const owner of ['a', 'b', 'c', 'd', 'e']) used.push(await processes.withProcess(tool, owner, use));
  expect(used.map((guest) => guest.isUsable)).toEqual([false, true, true, true, true]);
});

it('ends a process that nobody uses for a while', async () => {
  const guest = await pool(10).withProcess(component('tool'), 'a', use);
  await expect.poll(() => guest.isUsable, { timeout: 10_000 }).toBe(false);
});

it('does not use a process again that was ended', async () => {
  const processes = pool();
  const tool = component('tool');
  const first = await processes.withProcess(tool, 'a', use);
  await first.end();
  expect(await processes.withProcess(tool, 'a', use)).not.toBe(first);
});

it('starts nothing for those who still wait when it is closed', async () => {
  const processes = pool();
  const tool = component('long');
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let started = 0;
  const hold = () => {
    started += 1;
    if (started === 4) begin();
    return end;
  };
  const lent = Array.from({ length: 6 }, () => processes.withProcess(tool, 'a', hold));
  const told = Promise.allSettled([...lent, begun.then(() => processes.withProcess(tool, 'a', hold))]);
  await begun;
  await processes.close();
  resolve();
  const cancelled = (await told).filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
  expect([started, cancelled]).toEqual([4, Array(3).fill('tools/cancelled')]);
});

it('gives up what is being loaded when it is closed', async () => {
  const processes = pool();
  const lent = processes.withProcess(component('slow'), 'a', use);
  lent.catch(() => {});
  await setImmediate();
  await processes.close();
  await expect(lent).rejects.toMatchObject({ code: 'tools/cancelled' });
});
