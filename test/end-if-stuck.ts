import { Worker } from 'node:worker_threads';
import { afterAll } from 'vitest';

const WATCH = `
  const { parentPort } = require('node:worker_threads');
  let timer;
  parentPort.on('message', ({ ms, said }) => {
    clearTimeout(timer);
    if (ms === 0) return;
    timer = setTimeout(() => {
      require('node:fs').writeSync(2, said + '\\n');
      process.kill(process.pid, 'SIGKILL');
    }, ms);
  });`;

/** Ends this process when a call blocks it, which no timer of its own could notice. */
export function endIfStuck(): { within(ms: number, said: string): () => void } {
  const watcher = new Worker(WATCH, { eval: true });
  watcher.unref();
  afterAll(() => void watcher.terminate());
  return {
    within(ms, said) {
      watcher.postMessage({ ms, said });
      return () => watcher.postMessage({ ms: 0 });
    },
  };
}
