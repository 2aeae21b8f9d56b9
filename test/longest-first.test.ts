import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { LONGEST } from './longest-first.ts';

it('names files that exist', () => {
  const missing = LONGEST.filter((name) => !existsSync(path.join(import.meta.dirname, `${name}.test.ts`)));
  expect(missing).toEqual([]);
});
