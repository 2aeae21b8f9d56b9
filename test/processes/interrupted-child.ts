/** Runs a shell script through the runner: `interrupted-child.ts SCRIPT`. Its parent interrupts it. */

import { systemProcesses } from '../../src/adapters/system/run-process.ts';

await systemProcesses.run({
  command: [process.argv[2] ?? ''],
  shell: true,
  directory: '/',
  environment: { PATH: process.env.PATH ?? '', MARK: process.env.MARK ?? '' },
  limits: { timeoutMs: 60_000, stdoutBytes: 10, stderrBytes: 10 },
});
