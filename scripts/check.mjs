// The one gate: format and lint, types, unused code, tests (docs freshness is one of them).
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { buildIfStale } from './build.mjs';

const root = path.join(import.meta.dirname, '..');
const STEPS = [
  ['format and lint', ['biome', 'ci', '--error-on-warnings', '.']],
  ['types', ['tsc', '--project', '.']],
  ['unused code', ['knip', '--no-progress']],
  ['tests', ['vitest', 'run']],
];

await buildIfStale();
for (const [name, [command, ...args]] of STEPS) {
  const started = performance.now();
  const { status } = spawnSync(path.join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`check: ${name} failed`);
    process.exit(status ?? 1);
  }
  console.error(`check: ${name} ok (${((performance.now() - started) / 1000).toFixed(1)} s)`);
}
