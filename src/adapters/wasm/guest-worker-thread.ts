import { Worker } from 'node:worker_threads';
import { workerFile } from './built-files.ts';

/** A thread that waits for its component. */
export function startGuestWorker(): Worker {
  const worker = new Worker(workerFile('guest-worker'), {
    env: {},
    argv: [],
    execArgv: [],
    stdin: true,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
  });
  worker.unref();
  return worker;
}
