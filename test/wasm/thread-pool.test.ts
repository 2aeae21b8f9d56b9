import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { ComponentParts } from '../../src/adapters/wasm/loaded-component.ts';
import { ThreadPool } from '../../src/adapters/wasm/thread-pool.ts';

const PARTS = { glue: '(() => ({}))', compiledGlue: undefined, modules: [], limits: { memoryPages: 1 } };
const FACTS = { sha256: '', sizeBytes: 0, imports: [] };

it('leaves nobody waiting when a component cannot be loaded', async () => {
  const pool = new ThreadPool({ outputBytes: 1 }, undefined);
  onTestFinished(() => pool.close());
  const parts = Promise.reject(new Error('it cannot be compiled'));
  const component = { key: 'broken', facts: FACTS, parts, cacheCompiledGlue() {} };
  const lent = Array.from({ length: 6 }, () => pool.withThread(component, async () => {}));
  for (const one of await Promise.allSettled(lent))
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'it cannot be compiled' } });
});

it('gives up what is being loaded when it is closed', async () => {
  const pool = new ThreadPool({ outputBytes: 1 }, undefined);
  const { promise: parts, resolve } = Promise.withResolvers<ComponentParts>();
  const lent = pool.withThread({ key: 'slow', facts: FACTS, parts, cacheCompiledGlue() {} }, async () => {});
  lent.catch(() => {});
  await setImmediate();
  await pool.close();
  resolve(PARTS);
  await expect(lent).rejects.toThrow('the thread of a guest ended');
});

it('starts nothing for those who still wait when it is closed', async () => {
  const pool = new ThreadPool({ outputBytes: 1 }, undefined);
  const component = { key: 'long', facts: FACTS, parts: Promise.resolve(PARTS), cacheCompiledGlue() {} };
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let started = 0;
  const use = () => {
    started += 1;
    if (started === 4) begin();
    return end;
  };
  const lent = Array.from({ length: 6 }, () => pool.withThread(component, use));
  const told = Promise.allSettled([...lent, begun.then(() => pool.withThread(component, use))]);
  await begun;
  await pool.close();
  resolve();
  const cancelled = (await told).filter((one) => one.status === 'rejected').map(({ reason }) => reason.code);
  expect([started, cancelled]).toEqual([4, Array(3).fill('tools/cancelled')]);
});
