import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const launcher = path.join(import.meta.dirname, '../../bin/ken.mjs');
/** Of no account, as containers and services like to have them. */
const UID = 2_000_054_321;
const isRoot = process.getuid?.() === 0;

function ken(words: readonly string[], environment: Record<string, string>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...words], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', ...environment },
    uid: UID,
    gid: UID,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

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
