import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';
import { LAUNCHER as launcher } from './launcher.ts';

/** An id without an account, as containers often have. */
const UID = 54_321;
const isRoot = process.getuid?.() === 0;

function ken(words: readonly string[], environment: Record<string, string>, directory = '/') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', ...environment },
    uid: UID,
    gid: UID,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

it.skipIf(!isRoot)(
  `a directory that may not be entered is told as that${isRoot ? '' : ' (needs root)'}`,
  () => {
    // As after `sudo -u somebody` in a directory of one's own.
    const closed = path.join(temporaryDirectory(), 'closed');
    mkdirSync(path.join(closed, 'below'), { recursive: true });
    chmodSync(closed, 0o700);
    const refused = (directory: string) => ({
      code: 1,
      stdout: '',
      stderr:
        `ken: Cannot enter ${directory}: permission denied.\n` +
        'hint: Use a directory of yours, or check who owns those above it.\n',
    });
    const below = path.join(closed, 'below');
    expect(ken(['status'], { HOME: '/' }, below)).toEqual(refused(below));
    expect(ken(['status', '--workspace', below], { HOME: '/' })).toEqual(refused(below));
  },
);

it.skipIf(!isRoot)(`an account without a home is told what to set${isRoot ? '' : ' (needs root)'}`, () => {
  for (const environment of [{}, { HOME: '' }, { HOME: 'here' }])
    for (const words of [['config', 'show', 'assistant.name'], ['tools', 'run', 'learn'], ['mcp']])
      expect(ken(words, environment)).toEqual({
        code: 3,
        stdout: '',
        stderr:
          'ken: HOME is not set, and this account has no home directory.\n' +
          'hint: Set HOME, or KEN_HOME to a directory for what ken keeps.\n',
      });
  expect(ken(['config', 'show', 'assistant.name'], { HOME: '/' })).toEqual({
    code: 0,
    stdout: 'assistant.name = "ken"\n',
    stderr: '',
  });
});
