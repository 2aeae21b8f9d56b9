import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary-directory.ts';

const script = path.join(import.meta.dirname, '../../scripts/run-tests.mjs');

/** In CI. Each file is one test that does this. */
function runTests(acts: Record<string, string>) {
  const root = temporaryDirectory();
  for (const [name, act] of Object.entries(acts)) {
    const seen = JSON.stringify(path.join(root, `${name}-ran`));
    writeFileSync(
      path.join(root, `${name}.test.js`),
      `import { existsSync, writeFileSync } from 'node:fs';
test('works', () => {
  const isFirst = !existsSync(${seen});
  writeFileSync(${seen}, '');
  ${act}
});\n`,
    );
  }
  const { status, stderr } = spawnSync(process.execPath, [script, '--root', root, '--globals'], {
    encoding: 'utf8',
    env: { ...process.env, CI: 'true' },
  });
  const said = stderr.split('\n').filter((line) => line.startsWith('tests: '));
  return { status, said: said.map((line) => line.replaceAll(/[\w./-]+\//g, '')) };
}

const FAIL_ONCE = 'expect(isFirst).toBe(false);';

it('tries what failed among the others once more in CI, each alone, and names it', () => {
  const acts = {
    steady: '',
    fails: FAIL_ONCE,
    aborts: 'if (isFirst) process.kill(process.pid, "SIGKILL");',
  };
  const { status, said } = runTests(acts);
  expect({ status, said: said.map((line) => line.split(', ').toSorted()) }).toEqual({
    status: 0,
    said: [
      ['each alone: aborts.test.js', 'fails.test.js', 'tests: once more'],
      ['fails.test.js', 'passed alone: aborts.test.js', 'tests: failed among the others'],
    ],
  });
});

it('fails in CI when a test fails again, or when many do', () => {
  expect(runTests({ steady: '', broken: 'expect(1).toBe(2);' })).toEqual({
    status: 1,
    said: ['tests: once more, each alone: broken.test.js', 'tests: failed again: broken.test.js'],
  });
  const many = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`fails${at}`, FAIL_ONCE]));
  expect(runTests(many)).toEqual({ status: 1, said: [] });
});
