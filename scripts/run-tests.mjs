// Runs all tests. In CI a few files that fail among hundreds of others run once more, each alone, so that a machine
// which was too busy for a moment is told from a fault. What passed only alone is named; what fails again fails.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const resultsFile = path.join(root, `build/test-results-${process.pid}.json`);
/** More than these are a fault, whatever the machine did. */
const MOST_FILES_AGAIN = 5;

/** Options of this script are vitest's. */
function vitest(...args) {
  const program = path.join(root, 'node_modules/.bin/vitest');
  const { status } = spawnSync(program, ['run', ...process.argv.slice(2), ...args], { stdio: 'inherit' });
  return status ?? 1;
}

/** Also files whose process ended before their tests did. */
function failedFiles() {
  if (!existsSync(resultsFile)) return [];
  const { testResults } = JSON.parse(readFileSync(resultsFile, 'utf8'));
  rmSync(resultsFile);
  return testResults
    .filter(({ status, assertionResults }) => {
      const isUnfinished = assertionResults.some((result) => result.status === 'pending');
      return status === 'failed' || isUnfinished;
    })
    .map(({ name }) => name);
}

const listed = (files) => files.map((file) => path.relative(root, file)).join(', ');

function runAll() {
  if (!process.env.CI) return vitest();
  const status = vitest('--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`);
  const files = failedFiles();
  if (status === 0 || files.length === 0 || files.length > MOST_FILES_AGAIN) return status;
  console.error(`tests: once more, each alone: ${listed(files)}`);
  const failedAgain = files.filter((file) => vitest(file) !== 0);
  if (failedAgain.length === 0) {
    console.error(`tests: failed among the others, passed alone: ${listed(files)}`);
    return 0;
  }
  console.error(`tests: failed again: ${listed(failedAgain)}`);
  return status;
}

process.exitCode = runAll();
