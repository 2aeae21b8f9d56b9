import { expect, it } from 'vitest';
import { isProtectedName } from './protected-names.ts';

it.each(['.git', '.ken', '.GIT', '.Ken', '.g\u200bit', '.\u200cgit', '.git\ufeff', '．git'])(
  'protects %j',
  (name) => {
    expect(isProtectedName(name)).toBe(true);
  },
);

it.each(['git', '.github', '.gitignore', '.kenya', '..git', 'a.git', '.gi t'])('leaves %j alone', (name) => {
  expect(isProtectedName(name)).toBe(false);
});
