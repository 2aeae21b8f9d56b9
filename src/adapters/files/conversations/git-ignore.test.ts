import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../../test/temporary-directory.ts';
import { keepOutOfGit } from './git-ignore.ts';

it('only warns about a pipe in the place of .gitignore', async () => {
  const home = temporaryDirectory();
  execFileSync('mkfifo', [path.join(home, '.gitignore')]);
  const warnings: string[] = [];
  await keepOutOfGit(home, false, (text) => warnings.push(text));
  expect(warnings).toEqual([expect.stringContaining(`git may not ignore conversations: ${home}/.gitignore`)]);
});
