import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

const SWAP = `
const { renameSync } = require('node:fs');
const { workerData } = require('node:worker_threads');
const at = (name) => workerData + '/' + name;
for (;;) {
  renameSync(at('place'), at('directory'));
  renameSync(at('link'), at('place'));
  renameSync(at('place'), at('link'));
  renameSync(at('directory'), at('place'));
}`;

/** Until the test ends, `place` in the workspace is now the directory it was and now what `link` was. */
export function swapWithLink(workspace: string): void {
  const swapping = new Worker(SWAP, { eval: true, workerData: workspace });
  onTestFinished(async () => {
    await swapping.terminate();
  });
}
