import { expect, it } from 'vitest';
import { faultOf, never } from '../../../test/web/playground.ts';
import { systemNames } from './system-names.ts';

it('asks the machine', async () => {
  expect(await systemNames.resolve('localhost', never)).toContain('127.0.0.1');
});

it('says so when nobody knows a name', async () => {
  // Longer than a label may be: known to be nobody's without asking anyone.
  expect((await faultOf(systemNames.resolve('x'.repeat(64), never))).code).toBe('net/dns');
});

it('does not wait once nobody waits for it', async () => {
  await expect(systemNames.resolve('localhost', AbortSignal.abort('enough'))).rejects.toBe('enough');
});
