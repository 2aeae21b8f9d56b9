import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { gitRunner } from '../../src/adapters/git/run-git.ts';
import { systemProcesses } from '../../src/adapters/system/run-process.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const never = new AbortController().signal;

/** Git settings that no repository, account or machine may change. */
const HELD = {
  'core.hookspath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.symlinks': 'false',
  'core.attributesfile': '/dev/null',
  'core.gitproxy': '',
  'credential.helper': '',
  'fetch.recursesubmodules': 'false',
  'gc.auto': '0',
  'http.followredirects': 'false',
  'maintenance.auto': 'false',
  'submodule.recurse': 'false',
  'transfer.bundleuri': 'false',
};

function hostileSettings(): string {
  return Object.keys(HELD)
    .map((key) => {
      const [section = '', name = ''] = key.split('.');
      return `[${section}]\n\t${name} = evil\n`;
    })
    .join('');
}

it('no setting of a repository, an account or a machine wins over those that keep git harmless', async () => {
  const directory = temporaryDirectory();
  execFileSync('git', ['init', '-q', '--bare', directory]);
  writeFileSync(path.join(directory, 'config'), `[core]\n\tbare = true\n${hostileSettings()}`);
  const home = temporaryDirectory();
  writeFileSync(path.join(home, '.gitconfig'), '[user]\n\tname = account\n');
  writeFileSync(path.join(home, 'system'), '[user]\n\tname = machine\n');
  mkdirSync(path.join(home, 'git'));
  writeFileSync(path.join(home, 'git/config'), '[user]\n\tname = account\n');
  const passedOn = {
    PATH: process.env.PATH ?? '',
    GIT_CONFIG_SYSTEM: path.join(home, 'system'),
    HOME: home,
    XDG_CONFIG_HOME: home,
  };
  const run = gitRunner(systemProcesses, passedOn);
  const { stdout } = await run({ args: ['config', '--list', '-z'], directory, timeoutMs: 60_000 }, never);
  const settings = new Map(
    stdout
      .split('\0')
      .filter(Boolean)
      .map((each): [string, string] => {
        const [key = '', ...value] = each.split('\n');
        return [key, value.join('\n')];
      }),
  );
  expect(Object.fromEntries(Object.keys(HELD).map((key) => [key, settings.get(key)]))).toEqual(HELD);
  expect(settings.get('user.name')).toBeUndefined();
});

it('git asks nobody, fetches nothing behind our back, and without a connection speaks no protocol', async () => {
  const environment: Record<string, string>[] = [];
  const run = gitRunner(
    {
      run: async (request) => {
        environment.push({ ...request.environment });
        return systemProcesses.run(request);
      },
    },
    { PATH: process.env.PATH ?? '' },
  );
  await run({ args: ['version'], directory: temporaryDirectory(), timeoutMs: 60_000 }, never);
  expect(environment[0]).toMatchObject({
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
  });
});
