import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { withLock } from '../../scripts/lock.mjs';
import { VERSION } from '../../src/base/package-files.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const root = path.join(import.meta.dirname, '../..');
const script = (name: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'scripts', name), ...words],
    {
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
};

it('sets up in silence what is set up', () => {
  expect(script('setup.mjs')).toEqual({ status: 0, stdout: '', stderr: '' });
});

it('shows ken at work, without a terminal', () => {
  const { status, stdout } = script('start.mjs');
  expect({ status, shown: stdout.match(/^\$ ken \w+( \w+)?/gm)?.map((line) => line.split(' ')[2]) }).toEqual({
    status: 0,
    shown: ['status', 'kb', 'learn', 'query'],
  });
});

it('runs a command that is given to npm start', () => {
  expect(script('start.mjs', '--version')).toEqual({ status: 0, stdout: `${VERSION}\n`, stderr: '' });
  expect(script('start.mjs', 'inti')).toMatchObject({ status: 2, stdout: '' });
});

it.each([
  // A link into this project is the only package that is not downloaded.
  ['package-lock.json', ['scripts/no-binaryen']],
  ['guests/compilers/components/package-lock.json', ['no-binaryen']],
  ['guests/compilers/typescript/package-lock.json', []],
])('names no registry in %s', (file, links) => {
  const { packages } = JSON.parse(readFileSync(path.join(root, file), 'utf8'));
  const named = Object.entries<{ resolved?: string }>(packages).filter(([, { resolved }]) => resolved);
  expect(named.map(([, { resolved }]) => resolved)).toEqual(links);
});

it.each(['components', 'typescript'])('installs the compilers of this project for tools: %s', (set) => {
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const file = path.join(root, 'guests/compilers', set, 'package.json');
  const { binaryen: _, ...packages } = JSON.parse(readFileSync(file, 'utf8')).dependencies;
  expect(devDependencies).toMatchObject(packages);
});

it('lets one process work at a time', async () => {
  const lock = path.join(temporaryDirectory(), 'lock');
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} in`);
    await new Promise(setImmediate);
    order.push(`${name} out`);
  };
  await Promise.all([withLock(lock, work('a')), withLock(lock, work('b'))]);
  expect(order).toHaveLength(4);
  expect(order[1]?.replace('out', 'in')).toBe(order[0]);
});

it('takes over the lock of a process that has died, and gives up its own when it fails', async () => {
  const lock = path.join(temporaryDirectory(), 'lock');
  const { pid } = spawnSync('true');
  mkdirSync(lock);
  writeFileSync(path.join(lock, 'pid'), String(pid));
  await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await withLock(lock, async () => 'done')).toBe('done');
});

it('checks a clean checkout with the data beside it, when there is some', () => {
  const place = temporaryDirectory();
  const project = path.join(place, 'project');
  cpSync(path.join(root, '.ci/run'), path.join(project, '.ci/run'));
  mkdirSync(path.join(place, 'bin'));
  writeFileSync(path.join(place, 'bin/npm'), '#!/bin/sh\necho "npm $* in $PWD, data: $KEN_TEST_DATA"\n', {
    mode: 0o755,
  });
  const run = (environment: Readonly<Record<string, string>> = {}) =>
    spawnSync(path.join(project, '.ci/run'), {
      encoding: 'utf8',
      env: { PATH: `${place}/bin:${path.dirname(process.execPath)}:/usr/bin:/bin`, ...environment },
    }).stdout;
  expect(run()).toBe(`npm test in ${project}, data: \n`);
  mkdirSync(path.join(place, 'shared/data'), { recursive: true });
  expect(run()).toBe(`npm test in ${project}, data: ${place}/shared/data\n`);
  expect(run({ KEN_TEST_DATA: '/elsewhere' })).toBe(`npm test in ${project}, data: /elsewhere\n`);
});
