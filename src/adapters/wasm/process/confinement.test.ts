import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { BUILT_IN_FLAGS, confinedPart } from './confinement.ts';

it('gives the stand-alone binary flags that Node takes from a variable, or when it is built', () => {
  const { environment } = confinedPart('guest-runner');
  const run = spawnSync(process.execPath, [...BUILT_IN_FLAGS, '-e', ''], {
    env: { ...environment },
    encoding: 'utf8',
  });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
});
