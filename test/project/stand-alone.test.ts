import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/base/package-files.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const binary = process.env.KEN_TEST_BINARY;
const why = binary ? '' : ' (KEN_TEST_BINARY names none)';

const SOURCE = `export class Ferry {
  sail() {
${'    console.log(1);\n'.repeat(80)}  }
  moor() {
${'    console.log(2);\n'.repeat(80)}  }
}
`;

/** The binary alone in a directory, on a machine that has no Node, no npm and no git. */
function alone() {
  const base = temporaryDirectory();
  const program = path.join(base, 'ken');
  copyFileSync(path.resolve(binary ?? ''), program);
  const work = path.join(base, 'work');
  mkdirSync(work);
  const run = (words: readonly string[], environment: Record<string, string> = {}) => {
    const env = { HOME: base, KEN_HOME: path.join(base, 'home'), PATH: '/nonexistent', ...environment };
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: work, env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  return { run, work };
}

it.skipIf(!binary)(`works without Node, npm and git${why}`, { timeout: 120_000 }, () => {
  const { run, work } = alone();
  expect(run(['--version'])).toEqual({ status: 0, stdout: `${VERSION}\n`, stderr: '' });
  expect(run(['init', '-q', '.']).status).toBe(0);
  expect(run(['learn', 'project', 'writing-subjects']).stdout).toContain('# Writing subjects');
  expect(run(['search', 'how is a subject named']).stdout).toContain('.ken/kb/project/writing-subjects.md:3');
  expect(run(['query', '--new', 'How do I write a subject?']).status).toBe(0);
  expect(run(['tools', 'run', 'learn', '{"topic":"ken"}']).stdout).toContain('reference-researcher');
  const sandboxed = run(['tools', 'run', 'learn', '{"topic":"project","subjects":"writing-subjects"}']);
  expect(sandboxed.stdout).toContain('# Writing subjects');
  expect(run(['doctor']).stdout).toMatch(/^problem {2}git: not found$/m);
  expect(run(['doctor']).stdout).toMatch(/^ok {7}Sandbox: /m);
  mkdirSync(path.join(work, 'code'));
  writeFileSync(path.join(work, 'code/a.ts'), SOURCE);
  writeFileSync(path.join(work, '.ken/config.toml'), '[kb.topic.code]\nsubjects = "code"\n');
  expect(run(['search', 'moor']).stdout).toContain('moor · Ferry · a');
});

it.skipIf(!binary)(`runs no guest where nothing confines it${why}`, () => {
  const refusal = 'This part of ken runs only in a confined process, which ken starts itself.\n';
  const { run } = alone();
  for (const part of ['guest-runner', 'translate-runner', 'extract-runner']) {
    for (const flags of ['', '--permission --allow-fs-read=*', '--permission --allow-child-process'])
      expect(run(['--run-part', part], { NODE_OPTIONS: flags })).toEqual({
        status: 1,
        stdout: '',
        stderr: refusal,
      });
  }
});
