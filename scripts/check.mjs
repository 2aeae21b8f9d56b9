// The one gate: format and lint, types, unused code, tests (docs freshness is one of them).
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './setup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = path.join(root, 'node_modules/.bin');
const STEPS = [
  ['format and lint', ['biome', 'ci', '--error-on-warnings', '.']],
  ['types', ['tsc', '--project', '.']],
  ['types of the page', ['tsc', '--project', 'src/entry/web/client']],
  ['unused code', ['knip', '--no-progress', '--no-config-hints']],
  ['tests', ['node', 'scripts/run-tests.mjs']],
];

for (const [name, [command, ...args]] of STEPS) {
  const started = performance.now();
  const { status, signal } = spawnSync(path.join(programs, command), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${programs}${path.delimiter}${process.env.PATH}` },
  });
  if (status !== 0) {
    console.error(`check: ${name} failed${signal ? ` (${signal})` : ''}`);
    process.exit(status ?? 1);
  }
  console.error(`check: ${name} ok (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}
