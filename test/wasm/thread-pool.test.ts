import { expect, it, onTestFinished } from 'vitest';
import { ThreadPool } from '../../src/adapters/wasm/thread-pool.ts';

it('leaves nobody waiting when a component cannot be loaded', async () => {
  const pool = new ThreadPool({ outputBytes: 1 }, undefined);
  onTestFinished(() => pool.close());
  const parts = Promise.reject(new Error('it cannot be compiled'));
  const facts = { sha256: '', sizeBytes: 0, imports: [] };
  const component = { key: 'broken', facts, parts, keepCompiledGlue() {} };
  const lent = Array.from({ length: 6 }, () => pool.lend(component, async () => {}));
  for (const one of await Promise.allSettled(lent))
    expect(one).toMatchObject({ status: 'rejected', reason: { message: 'it cannot be compiled' } });
});
