import { expect, it } from 'vitest';
import { itMakesIds } from '../../src/base/ids.contract.ts';
import { countingIds } from './ids.ts';

itMakesIds('counting', countingIds);

it('counts', () => {
  const ids = countingIds();
  expect([ids.ulid(), ids.ulid(), ids.token(2), ids.token(4)]).toEqual([
    '00000000000000000000000001',
    '00000000000000000000000002',
    '0001',
    '00000002',
  ]);
});
